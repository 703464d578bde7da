/// A type whose values a column can hold.
///
/// The standard types conform: integers, `Bool`, `Double`, `Float`, `String`, `Data`, `UUID`, `URL`, `Date`, `Decimal`,
/// and optionals of them. An enum with raw values conforms by saying so, and needs nothing more:
///
/// ```swift
/// enum Genre: String, ColumnValue { case drama, comedy }
/// ```
///
/// A value is stored exactly or not at all: what cannot be held is an encoding error, and what is found in the file but
/// is not of the type is a decoding error.
public protocol ColumnValue: Sendable {
    /// The storage class of the column.
    static var storageClass: StorageClass { get }
    /// Whether NULL is a value of the type.
    static var isOptional: Bool { get }
    /// Whether values are held scaled by a power of ten, so that the column's scale has a meaning.
    static var isScaled: Bool { get }
    /// Reads the value of a cell, or throws what is wrong with it.
    static func read(from cell: ColumnCell) throws -> Self
    /// Gives a parameter this value, or throws why it cannot be held.
    func write(to slot: ColumnSlot) throws
    /// Returns the value as it would be stored.
    func sqlValue(scale: Int) throws -> SQLValue
}

extension ColumnValue {
    /// Is false but for optionals.
    @inlinable
    public static var isOptional: Bool { false }
    /// Is false but for `Decimal`.
    @inlinable
    public static var isScaled: Bool { false }
}
