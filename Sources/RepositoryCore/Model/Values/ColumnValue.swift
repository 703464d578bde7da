import Foundation

/// A type whose values a column can hold.
///
/// The standard types conform: integers, `Bool`, `Double`, `Float`, `String`, `Data`, `UUID`, `URL`, `Date`, `Decimal`,
/// and optionals of them. An enum with raw values only needs to declare the conformance:
///
/// ```swift
/// enum Genre: String, ColumnValue { case drama, comedy }
/// ```
///
/// A value is stored exactly or not at all: a value that cannot be stored is an encoding error, and a stored value that
/// does not fit the type is a decoding error.
public protocol ColumnValue: BindableValue {
    /// The type itself, or the type that an optional wraps.
    associatedtype Plain: ColumnValue = Self
    /// The storage class of the column.
    static var storageClass: StorageClass { get }
    /// Whether NULL is a valid value of the type.
    static var isOptional: Bool { get }
    /// Whether each value is stored as an integer: the value times ten to the power of the column's scale.
    static var isScaled: Bool { get }
    /// Reads the value of a cell, or throws if it is not a value of the type.
    static func read(from cell: ColumnCell) throws -> Self
    /// Writes this value to a slot, or throws if it cannot be stored.
    func write(to slot: ColumnSlot) throws
    /// Returns the value as it is stored or, if a column cannot hold the value, its position; see ``StoredBound``.
    ///
    /// A type must implement it only if some of its values cannot be stored.
    func storedBound(scale: Int) throws -> StoredBound
}

extension ColumnValue {
    /// Defaults to false; `Optional` returns true.
    @inlinable
    public static var isOptional: Bool { false }
    /// Defaults to false; `Decimal` and types that wrap it return true.
    @inlinable
    public static var isScaled: Bool { false }

    /// Returns the value as it would be stored in a column with `scale` decimal places.
    public func sqlValue(scale: Int) throws -> SQLValue {
        try SQLValue(DecimalPlaces(scale)) { slot in try write(to: slot) }
    }
}

extension SQLValue {
    func value<Value: ColumnValue>(_ type: Value.Type, scale: Int) throws -> Value {
        // Safe because the value stays in place while it is read.
        try withUnsafePointer(to: self) { try Value.read(from: ColumnCell($0, scale: scale)) }
    }
}

extension ColumnValue {
    /// The text of an id in errors and recorded calls.
    ///
    /// For a built-in type, it is the value's description. For other types it is the stored value, so that no custom
    /// `description` runs.
    package var displayText: String {
        if let id = self as? any CompositeID { return id.parts.map(\.displayText).joined(separator: ", ") }
        // On Linux, the description of a date that is not finite ends the process.
        if let date = self as? Date, !date.timeIntervalSinceReferenceDate.isFinite {
            return "\(date.timeIntervalSinceReferenceDate)"
        }
        if OwnTypes.lists(Self.self) { return "\(self)" }
        let value = try? sqlValue(scale: Self.isScaled ? ScaledDecimal.maximumScale : 0)
        return value?.displayText ?? "that cannot be stored"
    }
}

extension SQLValue {
    /// The text of the value in errors.
    package var displayText: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
