import Foundation

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
    func value<Value: ColumnValue>(_ type: Value.Type, scale: Int) throws -> Value {
        // Safe because the value stays in place while it is read.
        try withUnsafePointer(to: self) { try Value.read(from: ColumnCell($0, scale: scale)) }
    }
}

extension ColumnValue {
    /// The value as errors and calls spell an id: as it prints if the type is one of the library's, otherwise as it is
    /// stored, so that the program's own description does not run.
    package var spelled: String {
        if let id = self as? any CompositeID { return id.parts.map(\.spelled).joined(separator: ", ") }
        // The description of a date that is not a number ends the process on Linux.
        if let date = self as? Date, !date.timeIntervalSinceReferenceDate.isFinite {
            return "\(date.timeIntervalSinceReferenceDate)"
        }
        if OwnTypes.lists(Self.self) { return "\(self)" }
        let value = try? sqlValue(scale: Self.isScaled ? ScaledDecimal.maximumScale : 0)
        return value?.spelled ?? "that cannot be stored"
    }
}

extension SQLValue {
    /// The value as an error spells it.
    var spelled: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
