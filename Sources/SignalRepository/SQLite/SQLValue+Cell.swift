extension SQLValue {
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
