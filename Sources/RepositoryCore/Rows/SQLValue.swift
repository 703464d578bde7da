/// A value in one of SQLite's storage classes, for conditions and other uses outside the decoding of items.
///
/// Text is compared by its bytes, as in the store: "é" written as one scalar is not equal to "é" written as two.
public enum SQLValue: Sendable, Hashable {
    /// SQL NULL.
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    /// A floating-point number, never NaN.
    case real(Double)
    /// Unicode text.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// Whether both values have the same storage class, and the store considers them equal.
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

    /// Hashes the value consistently with `==`.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let value): hasher.combine(ExactText(value))
        case .blob(let bytes): hasher.combine(bytes)
        }
    }

    /// The storage class of the value.
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
    /// Creates an exact sum as both engines return it: an integer, or text if the sum does not fit in 64 bits.
    package init(exactSum: Int128) { self = Int64(exactly: exactSum).map { .integer($0) } ?? .text("\(exactSum)") }

    /// The exact sum that the value represents; `nil` if the value is not a sum.
    var exactSum: Int128? {
        switch self {
        case .integer(let number): Int128(number)
        case .text(let digits): Int128(digits)
        case .null, .real, .blob: nil
        }
    }
}
