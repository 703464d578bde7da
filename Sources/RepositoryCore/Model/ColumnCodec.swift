import Foundation

/// A conversion between the values of a property and the stored values of a column.
public protocol ColumnCodec: Sendable {
    /// The type of the property.
    associatedtype Value: Sendable
    /// The storage class of the column.
    var storageClass: StorageClass { get }
    /// Whether NULL is a valid value.
    var isOptional: Bool { get }
    /// Whether each value is stored as an integer: the value times ten to the power of the column's scale.
    var isScaled: Bool { get }
    /// Reads the value of a cell.
    func read(from cell: ColumnCell) throws -> Value
    /// Writes the value to a slot.
    func write(_ value: Value, to slot: ColumnSlot) throws
    /// Returns the value as it is stored or, if a column cannot hold the value, its position; see ``StoredBound``.
    func storedBound(_ value: Value, scale: Int) throws -> StoredBound
}

extension ColumnCodec {
    func sqlValue(_ value: Value, _ places: DecimalPlaces) throws -> SQLValue {
        try SQLValue(places) { slot in try write(value, to: slot) }
    }
}

/// A codec that uses the encoding of a ``ColumnValue`` type.
public struct DirectCodec<Value: ColumnValue>: ColumnCodec {
    /// Creates the codec, which has no state.
    @inlinable
    public init() {}
    /// The type's storage class.
    public var storageClass: StorageClass { Value.storageClass }
    /// Whether the type is an optional.
    public var isOptional: Bool { Value.isOptional }
    /// Whether values are stored scaled, which is the case for `Decimal` and for types that wrap it.
    public var isScaled: Bool { Value.isScaled }
    /// Reads the value with the type's own `read(from:)`.
    @inlinable @inline(__always)
    public func read(from cell: ColumnCell) throws -> Value { try Value.read(from: cell) }
    /// Writes the value with the type's own `write(to:)`.
    @inlinable @inline(__always)
    public func write(_ value: Value, to slot: ColumnSlot) throws { try value.write(to: slot) }
    /// Returns the bound that the value's type reports.
    public func storedBound(_ value: Value, scale: Int) throws -> StoredBound { try value.storedBound(scale: scale) }
}

/// A codec that stores any `Codable` value as JSON text.
public struct JSONCodec<Value: Codable & Sendable>: ColumnCodec {
    /// Creates the codec, which has no state.
    public init() {}
    /// Stored as text.
    public var storageClass: StorageClass { .text }
    /// Always false, because `nil` is stored as the JSON text `null`, not as NULL.
    public var isOptional: Bool { false }
    /// Always false, because JSON is stored as text.
    public var isScaled: Bool { false }

    /// Decodes the text; throws if it is not the JSON of a value of the type.
    public func read(from cell: ColumnCell) throws -> Value {
        let text = try cell.text()
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw ColumnFault.value("the text is not the JSON of \(Value.self): \(ColumnFault.sentence(error))")
        }
    }

    /// Encodes the value with sorted keys, so that the order of keys does not change the text.
    public func write(_ value: Value, to slot: ColumnSlot) throws {
        try slot.bind(text: try text(value))
    }

    private func text(_ value: Value) throws -> String {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw ColumnFault.value("the value cannot be encoded as JSON: \(ColumnFault.sentence(error))")
        }
    }
}

/// A codec that stores `nil` as NULL, and encodes every other value with its base codec.
public struct NullableCodec<Base: ColumnCodec>: ColumnCodec {
    let base: Base

    package init(base: Base) {
        self.base = base
    }

    /// The base codec's storage class.
    public var storageClass: StorageClass { base.storageClass }
    /// Always true.
    public var isOptional: Bool { true }
    /// Whether the base codec stores values scaled.
    public var isScaled: Bool { base.isScaled }

    /// Reads NULL as `nil`, and everything else with the base codec.
    public func read(from cell: ColumnCell) throws -> Base.Value? {
        cell.isNull ? nil : try base.read(from: cell)
    }

    /// Binds NULL for `nil`, and writes every other value with the base codec.
    public func write(_ value: Base.Value?, to slot: ColumnSlot) throws {
        guard let value else { return try slot.bindNull() }
        try base.write(value, to: slot)
    }

    /// Returns NULL for `nil`, otherwise the bound that the base codec reports.
    public func storedBound(_ value: Base.Value?, scale: Int) throws -> StoredBound {
        try value.map { try base.storedBound($0, scale: scale) } ?? .exact(.null)
    }
}

/// A codec that converts values of any type to and from a type that a column can hold, using two functions.
public struct TransformCodec<Value: Sendable, Stored: ColumnValue>: ColumnCodec {
    let encode: @Sendable (Value) throws -> Stored
    let decode: @Sendable (Stored) throws -> Value

    /// The stored type's storage class.
    public var storageClass: StorageClass { Stored.storageClass }
    /// Whether the stored type is an optional.
    public var isOptional: Bool { Stored.isOptional }
    /// Whether values of the stored type are scaled, as `Decimal`s are.
    public var isScaled: Bool { Stored.isScaled }

    /// Reads the stored value and decodes it.
    public func read(from cell: ColumnCell) throws -> Value {
        let stored = try Stored.read(from: cell)
        do { return try decode(stored) } catch { throw ColumnFault.value(ColumnFault.sentence(error)) }
    }

    /// Encodes the value and writes it.
    public func write(_ value: Value, to slot: ColumnSlot) throws {
        try stored(value).write(to: slot)
    }

    /// Encodes the value and returns the bound of the encoded value.
    public func storedBound(_ value: Value, scale: Int) throws -> StoredBound {
        try stored(value).storedBound(scale: scale)
    }

    private func stored(_ value: Value) throws -> Stored {
        do { return try encode(value) } catch { throw ColumnFault.value(ColumnFault.sentence(error)) }
    }
}
