/// A column of an entity, without the type of its property.
public struct AnyColumn<Root: Entity>: Sendable {
    /// The name in the table.
    public let name: String
    /// The property.
    public let path: PartialKeyPath<Root> & Sendable
    /// The storage class.
    public let storageClass: StorageClass
    /// Whether NULL is a value.
    public let isOptional: Bool
    /// The number of decimal places, when the values are held scaled.
    public let scale: Int?
    /// Whether the column is declared to be the key, or its path is `\.id`.
    let isKey: Bool
    let isIndexed: Bool
    let isUnique: Bool
    let reference: ColumnReference?
    /// Gives the default as it would be stored.
    let defaultValue: (@Sendable () throws(RepositoryError) -> SQLValue)?
    /// Gives a value of the property's type as it would be stored; `nil` when the value has another type.
    let convert: @Sendable (any Sendable) throws(RepositoryError) -> SQLValue?
    let valueType: any Sendable.Type

    /// Forgets the property's type.
    public init<Codec: ColumnCodec>(_ column: Column<Root, Codec>) {
        var isKey = column.path.isIDByName
        var isIndexed = false
        var isUnique = false
        var reference: ColumnReference?
        var defaultValue: (@Sendable () throws(RepositoryError) -> SQLValue)?
        let stored: @Sendable (Codec.Value) throws(RepositoryError) -> SQLValue = { value throws(RepositoryError) in
            do {
                return try column.codec.sqlValue(value, scale: column.scale)
            } catch {
                throw RepositoryError.encoding(error, entity: Root.entityName, column: column.name)
            }
        }
        for option in column.options {
            switch option.kind {
            case .key: isKey = true
            case .indexed: isIndexed = true
            case .unique: isUnique = true
            case .scale: break
            case .defaultValue(let value):
                defaultValue = { () throws(RepositoryError) in try stored(value) }
            case .reference(let target): reference = target
            }
        }
        name = column.name
        path = column.path
        storageClass = column.codec.storageClass
        isOptional = column.codec.isOptional
        scale = column.codec.isScaled ? column.scale : nil
        valueType = Codec.Value.self
        self.isKey = isKey
        self.isIndexed = isIndexed
        self.isUnique = isUnique
        self.reference = reference
        self.defaultValue = defaultValue
        convert = { value throws(RepositoryError) in
            guard let value = value as? Codec.Value else { return nil }
            return try stored(value)
        }
    }
}

extension AnyKeyPath {
    /// Whether the path prints as `\Type.id`: in generic code a literal `\.id` is a path to the protocol's
    /// requirement and is not equal to the path of the stored property.
    var isIDByName: Bool {
        let parts = String(describing: self).split(separator: ".")
        return parts.count >= 2 && parts.last == "id"
    }
}
