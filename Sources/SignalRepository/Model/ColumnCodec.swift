import Foundation

/// How the values of a property are held in a column.
public protocol ColumnCodec: Sendable {
    /// The type of the property.
    associatedtype Value: Sendable
    /// The storage class of the column.
    var storageClass: StorageClass { get }
    /// Whether NULL is a value.
    var isOptional: Bool { get }
    /// Whether the column's scale has a meaning.
    var isScaled: Bool { get }
    /// Reads the value of a cell.
    func read(from cell: ColumnCell) throws -> Value
    /// Gives a parameter the value.
    func write(_ value: Value, to slot: ColumnSlot) throws
    /// Returns the value as it would be stored.
    func sqlValue(_ value: Value, scale: Int) throws -> SQLValue
}

/// Holds values as their own type says.
public struct DirectCodec<Value: ColumnValue>: ColumnCodec {
    /// Makes the codec; it has no state.
    @inlinable
    public init() {}
    /// That of the type.
    public var storageClass: StorageClass { Value.storageClass }
    /// Whether the type is an optional.
    public var isOptional: Bool { Value.isOptional }
    /// Whether the type is `Decimal` or made of it.
    public var isScaled: Bool { Value.isScaled }
    /// Reads as the type does.
    @inlinable @inline(__always)
    public func read(from cell: ColumnCell) throws -> Value { try Value.read(from: cell) }
    /// Writes as the type does.
    @inlinable @inline(__always)
    public func write(_ value: Value, to slot: ColumnSlot) throws { try value.write(to: slot) }
    /// Converts as the type does.
    @inlinable
    public func sqlValue(_ value: Value, scale: Int) throws -> SQLValue { try value.sqlValue(scale: scale) }
}

/// Holds any `Codable` value as JSON text.
public struct JSONCodec<Value: Codable & Sendable>: ColumnCodec {
    /// Makes the codec; it has no state.
    public init() {}
    /// Is text.
    public var storageClass: StorageClass { .text }
    /// Is false: `nil` is the JSON text `null`.
    public var isOptional: Bool { false }
    /// Is false.
    public var isScaled: Bool { false }

    /// Decodes the text; one that is not JSON of the type is a fault.
    public func read(from cell: ColumnCell) throws -> Value {
        let text = try cell.text()
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw ColumnFault.value("the text is not the JSON of \(Value.self): \(error)")
        }
    }

    /// Encodes the value with sorted keys, so that equal values have equal texts.
    public func write(_ value: Value, to slot: ColumnSlot) throws {
        try slot.bind(text: try text(value))
    }

    /// Returns the text.
    public func sqlValue(_ value: Value, scale: Int) throws -> SQLValue { .text(try text(value)) }

    private func text(_ value: Value) throws -> String {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw ColumnFault.value("the value has no JSON: \(error)")
        }
    }
}

/// Holds NULL for `nil`, and every other value as another codec does.
public struct NullableCodec<Base: ColumnCodec>: ColumnCodec {
    let base: Base

    /// That of the other codec.
    public var storageClass: StorageClass { base.storageClass }
    /// Is true.
    public var isOptional: Bool { true }
    /// That of the other codec.
    public var isScaled: Bool { base.isScaled }

    /// Reads `nil` for NULL.
    public func read(from cell: ColumnCell) throws -> Base.Value? {
        cell.isNull ? nil : try base.read(from: cell)
    }

    /// Binds NULL for `nil`.
    public func write(_ value: Base.Value?, to slot: ColumnSlot) throws {
        guard let value else { return try slot.bindNull() }
        try base.write(value, to: slot)
    }

    /// Returns NULL for `nil`.
    public func sqlValue(_ value: Base.Value?, scale: Int) throws -> SQLValue {
        guard let value else { return .null }
        return try base.sqlValue(value, scale: scale)
    }
}

/// Holds values of any type as values of a type that a column can hold, by two functions.
public struct TransformCodec<Value: Sendable, Stored: ColumnValue>: ColumnCodec {
    let encode: @Sendable (Value) throws -> Stored
    let decode: @Sendable (Stored) throws -> Value

    /// That of the stored type.
    public var storageClass: StorageClass { Stored.storageClass }
    /// Whether the stored type is an optional.
    public var isOptional: Bool { Stored.isOptional }
    /// Whether the stored type is `Decimal`.
    public var isScaled: Bool { Stored.isScaled }

    /// Reads the stored value and decodes it.
    public func read(from cell: ColumnCell) throws -> Value {
        let stored = try Stored.read(from: cell)
        do { return try decode(stored) } catch { throw ColumnFault.value("\(error)") }
    }

    /// Encodes the value and writes it.
    public func write(_ value: Value, to slot: ColumnSlot) throws {
        try stored(value).write(to: slot)
    }

    /// Encodes the value and converts it.
    public func sqlValue(_ value: Value, scale: Int) throws -> SQLValue {
        try stored(value).sqlValue(scale: scale)
    }

    private func stored(_ value: Value) throws -> Stored {
        do { return try encode(value) } catch { throw ColumnFault.value("\(error)") }
    }
}
