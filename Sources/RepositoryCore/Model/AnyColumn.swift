import struct Foundation.UUID

/// A column of an entity, with the type of its property erased.
public final class AnyColumn<Root: Row>: Sendable {
    /// The name of the column in the table.
    public let name: String
    /// The key path of the property.
    public let path: PartialKeyPath<Root> & Sendable
    /// The storage class in which the column's values are stored.
    public let storageClass: StorageClass
    /// Whether NULL is a valid value.
    public let isOptional: Bool
    /// The number of decimal places if values are stored as scaled integers, the number of components if they are
    /// vectors, otherwise `nil`.
    public let scale: Int?
    /// The number of components that `.dimensions` declares; `nil` if the column does not have this option.
    let dimensions: Int?
    /// Whether the values are vectors, which are stored as bytes and may be encrypted.
    let holdsVectors: Bool
    /// Whether the column has the option `.key`, or its path is `\.id`.
    let isKey: Bool
    let isMarkedKey: Bool
    let isIndexed: Bool
    let isUnique: Bool
    let reference: ColumnReference?
    /// The kind of value that the store sets in the column, such as a creation time; `nil` if items provide the values.
    let managedValue: ManagedValue?
    /// The expression from which the store computes the values; `nil` if items provide them.
    let computation: (any DeclaredExpression)?
    /// A type-erased `(Value) -> Bool`, which returns whether the store must replace a given key by a generated one.
    let isZero: (any Sendable)?
    /// Returns whether the store must generate the key of an item; `nil` if items provide their keys.
    let needsGeneratedKey: (@Sendable (Root) -> Bool)?
    let defaultValue: (@Sendable () throws(RepositoryError) -> SQLValue)?
    let encode: @Sendable (Root) throws(RepositoryError) -> SQLValue
    /// Encodes the property of an item as if the column were not encrypted.
    let encodePlainly: @Sendable (Root) throws(RepositoryError) -> SQLValue
    /// Whether the column rounds values when it stores them.
    let isRounded: Bool
    /// Encodes a value of the property's type; returns `nil` for a value of another type.
    let convert: @Sendable (any Sendable) throws(RepositoryError) -> SQLValue?
    /// Returns a value as it is stored, or its position if the column cannot hold it; `nil` for another type.
    let findBound: @Sendable (any Sendable) throws(RepositoryError) -> StoredBound?
    let read: @Sendable (RowSource, Int) throws -> any Sendable
    package let valueType: any Sendable.Type
    package let encoding: StoredEncoding
    /// The `encoding` that the column would have without encryption.
    let plainEncoding: StoredEncoding
    /// Whether the stored bytes are a UUID, for which an engine may have a separate column type.
    package let holdsID: Bool
    let meaning: ColumnMeaning?
    let property: PropertyBytes
    let areTextsSame: TextComparison<Root>?

    /// Erases the type of a column's property.
    public init<Codec: ColumnCodec>(_ column: Column<Root, Codec>) {
        var isKey = column.path.isIDByName
        var isIndexed = false
        var (isUnique, isRounded) = (false, false)
        var reference: ColumnReference?
        var managedValue: ManagedValue?
        var dimensions: Int?
        var isZero: (@Sendable (Codec.Value) -> Bool)?
        var defaultValue: (@Sendable () throws(RepositoryError) -> SQLValue)?
        let stored = Self.naming(column.name) { value in try column.sqlValue(value) }
        let plain = column.opaque == nil ? stored : Self.naming(column.name) { try column.plainValue($0) }
        for option in column.options {
            switch option.kind {
            case .key: isKey = true
            case .indexed: isIndexed = true
            case .unique: isUnique = true
            case .scale(_, let rounding): isRounded = rounding != nil
            case .dimensions(let count): dimensions = count
            case .defaultValue(let value):
                defaultValue = { () throws(RepositoryError) in try stored(value) }
            case .reference(let target): reference = target
            case .managed(let value): managedValue = value
            case .generated(let test): (managedValue, isZero) = (.generated, test)
            }
        }
        (name, path) = (column.name, column.path)
        (storageClass, isOptional) = (column.codec.storageClass, column.codec.isOptional)
        (scale, self.dimensions) = (column.codec.isScaled ? column.scale : dimensions, dimensions)
        read = { [codec = column.codec, scale = column.scale] row, bound in
            try codec.read(from: ColumnCell(row, index: Int32(bound), scale: scale))
        }
        valueType = Codec.Value.self
        (encoding, holdsID) = (column.encoding, column.encoding == .exact && isUUID(Codec.Value.self))
        plainEncoding = column.opaque?.plainEncoding ?? column.encoding
        holdsVectors = plainEncoding == .exact && (Codec.Value.self as? any ColumnValue.Type)?.isVector == true
        meaning = ColumnMeaning(column.codec, places: column.scale)
        property = PropertyBytes(Codec.Value.self, offset: column.offset)
        areTextsSame = column.areTextsSame
        (self.isKey, self.isUnique, self.isRounded) = (isKey, isUnique, isRounded)
        isMarkedKey = column.options.contains { if case .key = $0.kind { true } else { false } }
        self.isIndexed = isIndexed
        self.reference = reference
        (self.managedValue, computation) = (managedValue, column.computation)
        (self.isZero, needsGeneratedKey) = (isZero, isZero.map { Self.test(column.path, $0) })
        self.defaultValue = defaultValue
        findBound = { value throws(RepositoryError) in
            guard let value = value as? Codec.Value else { return nil }
            do {
                return try column.codec.storedBound(value, scale: column.scale)
            } catch {
                throw RepositoryError.encoding(error, entity: Root.rowName, column: column.name)
            }
        }
        encode = { [path = column.path] item throws(RepositoryError) in try stored(item[keyPath: path]) }
        encodePlainly = { [path = column.path] item throws(RepositoryError) in try plain(item[keyPath: path]) }
        convert = { value throws(RepositoryError) in
            guard let value = value as? Codec.Value else { return nil }
            return try stored(value)
        }
    }
}

extension AnyColumn {
    /// Wraps a function so that its errors name the column.
    private static func naming<Value>(
        _ column: String, _ encode: @escaping @Sendable (Value) throws -> SQLValue
    ) -> @Sendable (Value) throws(RepositoryError) -> SQLValue {
        { value throws(RepositoryError) in
            do {
                return try encode(value)
            } catch {
                throw RepositoryError.encoding(error, entity: Root.rowName, column: column)
            }
        }
    }

    private static func test<Value>(
        _ path: KeyPath<Root, Value> & Sendable, _ test: @escaping @Sendable (Value) -> Bool
    ) -> @Sendable (Root) -> Bool {
        { item in test(item[keyPath: path]) }
    }

    func stored(_ value: any Sendable) throws(RepositoryError) -> SQLValue {
        if let stored = try convert(value) { return stored }
        throw mismatch(value)
    }

    func bound(of value: any Sendable) throws(RepositoryError) -> StoredBound {
        if isOpaque, (value as? any OptionalType)?.isNil != true { try checkNotEncrypted() }
        if let bound = try findBound(value) { return bound }
        throw mismatch(value)
    }

    /// Throws if the store cannot compute with the values, because they are encrypted, JSON, or encoded by custom code.
    func checkStoredAsOwnType() throws(RepositoryError) {
        try checkNotEncrypted()
        if encoding != .exact { throw .notPlain("\(Root.rowName).\(name)") }
    }

    private func mismatch(_ value: any Sendable) -> RepositoryError {
        .misuse(detail: "the column \(Root.rowName).\(name) does not hold values of \(type(of: value))")
    }
}

extension RepositoryError {
    static func notPlain(_ column: String) -> RepositoryError {
        .misuse(
            detail: "\(column) is stored as JSON, with custom functions, or in several columns: it can be compared "
                + "with values, but not used in computations")
    }
}

extension AnyKeyPath {
    /// Whether the printed path, such as `\Film.id`, ends in `.id`.
    ///
    /// Comparing the path with `\.id` would not work: in generic code, `\.id` is the path of the protocol's
    /// requirement, which is not equal to the path of the stored property.
    var isIDByName: Bool {
        let parts = String(describing: self).split(separator: ".")
        return parts.count >= 2 && parts.last == "id"
    }
}

/// The key path of a column of any type, in a condition or an ordering.
typealias ColumnPath<Root> = PartialKeyPath<Root> & Sendable

/// Returns whether a type is `UUID`, ignoring the optionals and raw-value types around it.
func isUUID(_ type: any Any.Type) -> Bool {
    func rawValue<Value: RawRepresentable>(_ type: Value.Type) -> any Any.Type { Value.RawValue.self }
    if let optional = type as? any OptionalType.Type { return isUUID(optional.wrapped) }
    if let raw = type as? any RawRepresentable.Type { return isUUID(rawValue(raw)) }
    return type == UUID.self
}
