import Foundation

/// The declaration of one column: a name, a property and how its values are stored.
///
/// ```swift
/// struct Film: Entity {
///     let id: UUID
///     var title: String
///     var gross: Decimal
///     var tags: [String]
///
///     static let schema = Schema(
///         Column("id", \Film.id), Column("title", \.title, .indexed), Column("gross", \.gross, .scale(2)),
///         Column("tags", json: \.tags), make: Film.init)
/// }
/// ```
public struct Column<Root: Row, Codec: ColumnCodec>: Sendable {
    /// The type of the property.
    public typealias Value = Codec.Value

    /// The name of the column in the table.
    public let name: String
    /// The key path of the property.
    public let path: KeyPath<Root, Codec.Value> & Sendable
    let options: [ColumnOption<Value>]
    @usableFromInline let codec: Codec
    @usableFromInline let scale: Int
    @usableFromInline let places: DecimalPlaces
    /// The property's offset in the struct, or -1 if it is computed.
    @usableFromInline let offset: Int
    let encoding: StoredEncoding
    /// The column's codec if it encrypts, otherwise `nil`.
    let opaque: (any OpaqueCodec<Codec.Value>)?
    /// Whether writing must call `verified(_:)`, because code outside the library encodes and decodes the values.
    ///
    /// Also true for a computed column. `verified(_:)` then returns `nil`, and `encode` writes nothing.
    @usableFromInline let isVerified: Bool
    /// The expression from which the store computes the values; `nil` if items provide them.
    let computation: (any DeclaredExpression)?

    package init(
        name: String, path: KeyPath<Root, Codec.Value> & Sendable, codec: Codec, options: [ColumnOption<Codec.Value>],
        computation: (any DeclaredExpression)? = nil
    ) {
        self.computation = computation
        self.name = name
        self.path = path
        self.codec = codec
        self.options = options
        offset = MemoryLayout<Root>.offset(of: path) ?? -1
        opaque = codec as? any OpaqueCodec<Codec.Value>
        encoding = opaque != nil ? .opaque : (codec as? any KnownCodec)?.encoding ?? .free
        let isOwn = (opaque?.plainEncoding ?? encoding) == .exact && OwnTypes.contain(Value.self)
        isVerified = !isOwn || computation != nil
        let scales = options.compactMap { option -> (Int, Decimal.RoundingMode?)? in
            switch option.kind {
            case .scale(let places, let rounding): (places, rounding)
            case .dimensions(let count): (count, nil)
            default: nil
            }
        }
        // The default is 0 for bytes: they have no decimal places, and 0 allows vectors of any number of components.
        let isBytes = (opaque?.plainClass ?? codec.storageClass) == .blob
        let (scale, rounding) = scales.last ?? (isBytes ? 0 : 4, nil)
        self.scale = scale
        places = DecimalPlaces(scale, rounding: rounding)
    }
}

extension Column {
    /// Declares a column for a property whose type is a ``ColumnValue``.
    public init<Value: ColumnValue>(
        _ name: String, _ path: KeyPath<Root, Value> & Sendable, _ options: ColumnOption<Value>...
    ) where Codec == DirectCodec<Value> {
        self.init(name: name, path: path, codec: DirectCodec(), options: options)
    }

    /// Declares a column that stores a `Codable` property as JSON text.
    @_disfavoredOverload
    public init<Value: Codable & Sendable>(
        _ name: String, json path: KeyPath<Root, Value> & Sendable, _ options: ColumnOption<Value>...
    ) where Codec == JSONCodec<Value> {
        self.init(name: name, path: path, codec: JSONCodec(), options: options)
    }

    /// Declares a column that stores an optional `Codable` property as JSON text, and `nil` as NULL.
    public init<Value: Codable & Sendable>(
        _ name: String, json path: KeyPath<Root, Value?> & Sendable, _ options: ColumnOption<Value?>...
    ) where Codec == NullableCodec<JSONCodec<Value>> {
        self.init(name: name, path: path, codec: NullableCodec(base: JSONCodec()), options: options)
    }

    /// Rejects a property whose type no column can hold.
    @available(*, unavailable, message: "no column holds this type: make it a ColumnValue, or declare it with json:")
    @_disfavoredOverload
    public init<Value: Sendable>(
        _ name: String, _ path: KeyPath<Root, Value> & Sendable, _ options: ColumnOption<Value>...
    ) where Codec == TransformCodec<Value, Int> {
        preconditionFailure("An unavailable initializer cannot be called.")
    }

    /// Declares a column that stores a property as values of another type.
    ///
    /// An error that one of the functions throws is reported as an encoding or decoding error. The functions run on a
    /// database queue, so they must not block.
    public init<Value: Sendable, Stored: ColumnValue>(
        _ name: String, _ path: KeyPath<Root, Value> & Sendable, _ options: ColumnOption<Value>...,
        encode: @escaping @Sendable (Value) throws -> Stored, decode: @escaping @Sendable (Stored) throws -> Value
    ) where Codec == TransformCodec<Value, Stored> {
        self.init(name: name, path: path, codec: TransformCodec(encode: encode, decode: decode), options: options)
    }
}

extension Column {
    /// A reader with only the codec and the scale, so that reading a row does not retain the column's other parts.
    @inlinable @inline(__always)
    var reader: ColumnReader<Codec> { ColumnReader(codec: codec, scale: scale) }

    func sqlValue(_ value: Codec.Value) throws -> SQLValue {
        if isVerified, let value = try verified(value) { return value }
        return try codec.sqlValue(value, places)
    }

    /// Returns a value of the property's type as it would be stored if the column were not encrypted.
    func plainValue(_ value: Codec.Value) throws -> SQLValue {
        try opaque?.plainValue(value, places) ?? sqlValue(value)
    }

    /// Writes the property's value to the slot after `position`, and advances `position` to that slot.
    ///
    /// A computed column has no slot, and leaves `position` unchanged.
    @inlinable @inline(__always)
    public func encode(_ item: UnsafePointer<Root>, to row: RowTarget, _ position: inout Int32) throws {
        position &+= 1
        let slot = ColumnSlot(row, index: position, places: places)
        if isVerified {
            guard let value = try verified(item.pointee[keyPath: path]) else { return position &-= 1 }
            try slot.bind(value)
        } else if offset >= 0 {
            // Safe because `MemoryLayout.offset(of:)` returned the offset of a stored property of this very type.
            let property = UnsafeRawPointer(item).advanced(by: offset).assumingMemoryBound(to: Codec.Value.self)
            try codec.write(property.pointee, to: slot)
        } else {
            try codec.write(item.pointee[keyPath: path], to: slot)
        }
    }
}

@usableFromInline
struct ColumnReader<Codec: ColumnCodec>: Sendable {
    @usableFromInline let codec: Codec
    @usableFromInline let scale: Int

    @inlinable @inline(__always)
    init(codec: Codec, scale: Int) {
        self.codec = codec
        self.scale = scale
    }

    /// Reads the value at an index of a row, and sets `position` to the number of values read so far.
    @inlinable @inline(__always)
    func read(_ row: RowSource, _ index: Int32, _ position: inout Int32) throws -> Codec.Value {
        position = index &+ 1
        return try codec.read(from: ColumnCell(row, index: index, scale: scale))
    }
}
