/// A value in one of SQLite's storage classes: for conditions and other places that are not per row.
public enum SQLValue: Sendable, Hashable {
    /// Nothing.
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    /// A floating-point number, never NaN.
    case real(Double)
    /// Unicode text.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// The value of a cell.
    init(_ cell: ColumnCell) throws {
        switch cell.storageClass {
        case .null: self = .null
        case .integer: self = .integer(try cell.integer())
        case .real: self = .real(try cell.real())
        case .text: self = .text(try cell.text())
        case .blob: self = .blob(try cell.withBytes { bytes in Array(bytes) })
        }
    }

    /// Binds the value to a parameter.
    func write(to slot: ColumnSlot) throws {
        switch self {
        case .null: try slot.bindNull()
        case .integer(let value): try slot.bind(integer: value)
        case .real(let value): try slot.bind(real: value)
        case .text(let value): try slot.bind(text: value)
        case .blob(let bytes): try bytes.withUnsafeBytes { bytes in try slot.bind(bytes: bytes) }
        }
    }
}
