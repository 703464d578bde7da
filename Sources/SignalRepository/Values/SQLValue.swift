/// A value in one of SQLite's storage classes: for conditions and other places that are not per row.
///
/// Two texts are equal if their bytes are, as in the store: "é" as one scalar is not equal to "é" as two.
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

    /// Whether both have the same storage class and are stored alike.
    public static func == (left: SQLValue, right: SQLValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): ExactText(left) == ExactText(right)
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    /// Hashes the storage class and what is stored.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let value): hasher.combine(ExactText(value))
        case .blob(let bytes): hasher.combine(bytes)
        }
    }

    /// The class that the value is stored in.
    public var storageClass: StorageClass {
        switch self {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }
}

extension SQLValue {
    /// A sum of whole numbers as both engines give it: a text where it is too large for 64 bits.
    init(exactSum: Int128) { self = Int64(exactly: exactSum).map { .integer($0) } ?? .text("\(exactSum)") }

    /// The sum that the value is; `nil` when it is something else.
    var exactSum: Int128? {
        switch self {
        case .integer(let number): Int128(number)
        case .text(let digits): Int128(digits)
        case .null, .real, .blob: nil
        }
    }
}
