/// The columns that identify the items of an entity: one, or several for a composite key.
package final class EntityKey<Root: Row>: Sendable {
    let columns: [AnyColumn<Root>]
    /// The names of the columns, in the order of the key.
    package let names: [String]
    /// The SQL condition that a row has a given key, with a parameter for each column.
    let test: String

    init(columns: [AnyColumn<Root>]) {
        self.columns = columns
        names = columns.map(\.name)
        test = Identifier.test(names)
    }

    var isComposite: Bool { columns.count > 1 }

    /// The key's name in messages.
    var name: String { names.joined(separator: ", ") }
}

extension EntityKey where Root: Entity {
    func values(of id: Root.ID) throws(RepositoryError) -> [SQLValue] {
        guard isComposite, let id = id as? any CompositeID else { return [try columns[0].stored(id)] }
        var values: [SQLValue] = []
        for (column, part) in zip(columns, id.parts) { values.append(try column.stored(part)) }
        return values
    }

    /// Returns an id as a single value; the store considers two ids the same key if their values are equal.
    func identity(of id: Root.ID) throws(RepositoryError) -> SQLValue {
        let values = try values(of: id)
        if !isComposite { return values[0] }
        do {
            return .text(try KeyEncoding.text(of: values))
        } catch {
            throw .encoding(error, entity: Root.entityName, column: name)
        }
    }

    func id(of identity: SQLValue) throws -> Root.ID {
        guard isComposite else { return try id(of: [identity]) }
        guard case .text(let text) = identity else { throw ColumnFault.value("the value is not a composite key") }
        return try id(of: try KeyEncoding.values(of: text))
    }

    func id(of values: [SQLValue]) throws -> Root.ID {
        let scales = columns.map { $0.scale ?? 0 }
        guard isComposite, let type = Root.ID.self as? any CompositeID.Type else {
            return try values[0].value(Root.ID.self, scale: scales[0])
        }
        guard let id = try type.init(stored: values, scales: scales) as? Root.ID else {
            throw ColumnFault.value("the key is not a \(Root.ID.self)")
        }
        return id
    }
}

extension Schema where Root: Entity {
    /// The key: the columns declared as the key, otherwise the column of the id.
    package var key: EntityKey<Root> {
        get throws(RepositoryError) {
            guard let knownKey else { throw unknownKey }
            return knownKey
        }
    }

    var idColumn: AnyColumn<Root> {
        get throws(RepositoryError) {
            let key = try key
            if isComposite {
                throw .misuse(
                    detail: "the id of \(entityName) is several columns, \(key.name): compare it for equality, or name "
                        + "the columns")
            }
            return key.columns[0]
        }
    }

    private var unknownKey: RepositoryError {
        if isComposite {
            return .misuse(detail: "the key of \(entityName) names a property without a column in its schema")
        }
        let marked = columns.filter(\.isMarkedKey).map(\.name)
        return .misuse(
            detail: marked.count > 1
                ? "the schema of \(entityName) marks several columns as the key, "
                    + "\(marked.joined(separator: ", ")): name them with key:, and make the id a CompositeKey"
                : "the schema of \(entityName) declares no column for its id, which is of type \(Root.ID.self): "
                    + "add Column(\"id\", \\\(Root.self).id), mark the one that holds it with .key, "
                    + "or name several with key:")
    }

    /// Whether a key path is the path of the `id`, and the key is composite.
    func isCompositeID(_ path: AnyKeyPath) -> Bool {
        // In generic code, `\Root.id` is the key path of the protocol's requirement. It is not equal to the key path of
        // an entity's own computed `id`, so the types of the values are compared.
        isComposite && type(of: path).valueType == Root.ID.self && !paths.contains { $0 == path }
    }

    /// Throws if the declared key does not match the entity's id.
    func checkKey() throws(RepositoryError) {
        let key = try key
        // A lookup by id uses the encoding of the id's type, so the column must not round or use another encoding.
        if let column = key.columns.first(where: { $0.encoding != .exact || $0.isRounded }) {
            throw .misuse(
                detail:
                    "\(entityName).\(column.name) is the key, but is stored as JSON, rounded, or with custom "
                    + "functions: declare it as a plain column of a type that conforms to ColumnValue")
        }
        guard let type = Root.ID.self as? any CompositeID.Type else {
            if !isComposite { return }
            throw .misuse(
                detail: "the key of \(entityName) is declared with key:, but its id is \(Root.ID.self), not a "
                    + "CompositeKey: mark a single column with .key")
        }
        let (types, actual) = (type.types, key.columns.map(\.valueType))
        let isSame = types.count == actual.count && zip(types, actual).allSatisfy { $0 == $1 }
        guard isSame, types.count > 1, Set(key.names).count == types.count else {
            throw .misuse(
                detail: "the id of \(entityName) is \(Root.ID.self), but its key is \(key.name) of the types "
                    + actual.map { "\($0)" }.joined(separator: ", "))
        }
    }
}

extension Schema {
    /// Returns the columns of a composite key, or else the column of the id.
    ///
    /// The column of the id is declared as the key or has the path `\.id`; otherwise, it is the column named "id".
    static func keyColumns(_ columns: [AnyColumn<Root>], _ keyPaths: Paths) -> [AnyColumn<Root>]? {
        guard keyPaths.isEmpty else {
            let key = keyPaths.compactMap { path in columns.first { $0.path == path } }
            return key.count == keyPaths.count ? key : nil
        }
        guard let id = (Root.self as? any Entity.Type)?.idType else { return nil }
        let candidates = columns.filter { $0.valueType == id }
        return (candidates.first(where: \.isKey) ?? candidates.first { $0.name == "id" }).map { [$0] }
    }
}

extension Entity {
    fileprivate static var idType: any Any.Type { ID.self }
}
