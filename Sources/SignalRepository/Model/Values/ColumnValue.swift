/// A type whose values a column can hold.
///
/// The standard types conform: integers, `Bool`, `Double`, `Float`, `String`, `Data`, `UUID`, `URL`, `Date`, `Decimal`,
/// and optionals of them. An enum with raw values only has to declare the conformance:
///
/// ```swift
/// enum Genre: String, ColumnValue { case drama, comedy }
/// ```
///
/// A value is stored exactly or not at all: a value that cannot be stored is an encoding error, and a stored value that
/// does not fit the type is a decoding error.
public protocol ColumnValue: BindableValue {
    /// The type itself, or what an optional wraps.
    associatedtype Plain: ColumnValue = Self
    /// The storage class of the column.
    static var storageClass: StorageClass { get }
    /// Whether NULL is a valid value of the type.
    static var isOptional: Bool { get }
    /// Whether values are stored scaled by a power of ten, so that the column's scale applies.
    static var isScaled: Bool { get }
    /// Reads the value of a cell, or throws what is wrong with it.
    static func read(from cell: ColumnCell) throws -> Self
    /// Writes this value to a slot, or throws why it cannot be stored.
    func write(to slot: ColumnSlot) throws
    /// Returns the value's place among those that a column can hold; only a type with values that cannot be stored
    /// needs more than what is written of it.
    func storedBound(scale: Int) throws -> StoredBound
}

extension ColumnValue {
    /// False for all types but optionals.
    @inlinable
    public static var isOptional: Bool { false }
    /// False for all types but `Decimal`.
    @inlinable
    public static var isScaled: Bool { false }

    /// Returns the value as it would be stored in a column with a number of decimal places.
    public func sqlValue(scale: Int) throws -> SQLValue {
        try SQLValue(DecimalPlaces(scale)) { slot in try write(to: slot) }
    }
}

extension SQLValue {
    /// Returns the value as a type reads it.
    func value<Value: ColumnValue>(_ type: Value.Type, scale: Int) throws -> Value {
        // Safe because the value stays in place while it is read.
        try withUnsafePointer(to: self) { try Value.read(from: ColumnCell($0, scale: scale)) }
    }
}
