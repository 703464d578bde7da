/// One `including` of a query, which reads the included items of all items at once.
struct Inclusion<Root: Fetchable, Included: Sendable>: Sendable {
    let tables: [String]
    /// Adds links to the tables; returns false if the rows that the included items depend on are unknown.
    let link: @Sendable (inout TableLinks) throws(RepositoryError) -> Bool
    /// The value that links an item to its included items; NULL for an item that cannot have included items.
    let key: @Sendable (Root) throws(RepositoryError) -> SQLValue
    let load: @Sendable (ReadTransaction, Set<SQLValue>) throws(RepositoryError) -> [SQLValue: Included]
    /// The included value of an item for which nothing was found.
    let none: Included
    let areTextsSame: @Sendable (Included, Included) -> Bool
}

extension Inclusion {
    /// Returns the indexes of the query's tables that have the name of the side's table; any of them can be the side.
    private static func tables<Side: Entity>(of side: Side.Type) -> [Int] {
        let tables = Root.fetchSource.tables
        return tables.indices.filter { tables[$0].name == Side.entityName }
    }

    static func children<Side: Entity, Children: ItemQuery>(
        of side: @escaping @Sendable (Root) -> Side?, _ children: Children,
        by reference: PartialKeyPath<Children.Root> & Sendable
    ) -> Inclusion where Children.Root: Entity, Included == [Children.Output] {
        let query = children.asIncludingQuery
        return Inclusion(
            tables: query.tables,
            link: { links throws(RepositoryError) in
                guard let others = try query.links() else { return false }
                let column = try Children.Root.column(reference, referringTo: Side.self)
                let key = StoredColumn(try Side.schema.idColumn)
                for side in tables(of: Side.self) {
                    links.append(others, to: side, where: StoredColumn(column), equals: key)
                }
                return true
            },
            key: { item throws(RepositoryError) in try Side.storedID(of: side(item)) },
            load: { store, keys throws(RepositoryError) in
                let column = try Children.Root.column(reference, referringTo: Side.self)
                var families: [SQLValue: [Children.Output]] = [:]
                for (key, child) in try store.fetch(query, by: column, in: keys) {
                    families[key, default: []].append(child)
                }
                return families
            }, none: [], areTextsSame: query.areAllTextsSame)
    }

    /// Includes the items that the rows of `links` connect to one side of an item.
    static func children<Side: Entity, Children: ItemQuery, Link: Entity>(
        of side: @escaping @Sendable (Root) -> Side?, _ children: Children, through links: FetchQuery<Link>,
        from: PartialKeyPath<Link> & Sendable, to: PartialKeyPath<Link> & Sendable
    ) -> Inclusion where Children.Root: Entity, Included == [Children.Output] {
        let query = children.asIncludingQuery
        let (limit, offset) = (query.query.limit, query.query.offset ?? 0)
        // The limit applies to the items of each parent. A statement cannot express such a limit, so `load` applies it.
        let unlimited = query.refined { ($0.limit, $0.offset) = (nil, nil) }
        return Inclusion(
            tables: [Link.entityName] + query.tables,
            link: { found throws(RepositoryError) in
                guard let between = try SelectStatement(links).links(), let others = try query.links() else {
                    return false
                }
                let (start, end) = (
                    try Link.column(from, referringTo: Side.self), try Link.column(to, referringTo: Children.Root.self)
                )
                let key = StoredColumn(try Side.schema.idColumn)
                let otherKey = StoredColumn(try Children.Root.schema.idColumn)
                for side in tables(of: Side.self) {
                    let index = found.occurrences.count
                    found.append(between, to: side, where: StoredColumn(start), equals: key)
                    found.append(others, to: index, where: otherKey, equals: StoredColumn(end))
                }
                return true
            },
            key: { item throws(RepositoryError) in try Side.storedID(of: side(item)) },
            load: { store, keys throws(RepositoryError) in
                let ends = (
                    try Link.column(from, referringTo: Side.self),
                    try Link.column(to, referringTo: Children.Root.self)
                )
                var parents: [SQLValue: [SQLValue]] = [:]
                for pair in try store.pairs(ends.0, .column(StoredColumn(ends.1)), of: links, in: keys) {
                    parents[pair.value, default: []].append(pair.key)
                }
                parents[.null] = nil
                var families: [SQLValue: [Children.Output]] = [:]
                let found = try store.fetch(unlimited, by: try Children.Root.schema.idColumn, in: Set(parents.keys))
                for (key, child) in found {
                    for parent in parents[key] ?? [] { families[parent, default: []].append(child) }
                }
                return families.mapValues { Array($0.dropFirst(offset).prefix(limit ?? .max)) }
            }, none: [], areTextsSame: query.areAllTextsSame)
    }

    static func count<Side: Entity, Child: Entity>(
        of side: @escaping @Sendable (Root) -> Side?, _ children: FetchQuery<Child>,
        by reference: PartialKeyPath<Child> & Sendable
    ) -> Inclusion where Included == Int {
        Inclusion(
            tables: [Child.entityName],
            link: { links throws(RepositoryError) in
                guard let others = try SelectStatement(children).links() else { return false }
                let column = try Child.column(reference, referringTo: Side.self)
                let key = StoredColumn(try Side.schema.idColumn)
                for side in tables(of: Side.self) {
                    links.append(others, to: side, where: StoredColumn(column), equals: key)
                }
                return true
            },
            key: { item throws(RepositoryError) in try Side.storedID(of: side(item)) },
            load: { store, keys throws(RepositoryError) in
                let column = try Child.column(reference, referringTo: Side.self)
                var counts: [SQLValue: Int] = [:]
                for pair in try store.pairs(column, .operation(.count, []), of: children, in: keys) {
                    if case .integer(let count) = pair.value { counts[pair.key] = Int(count) }
                }
                return counts
            }, none: 0, areTextsSame: { _, _ in true })
    }

    static func parent<Side: Entity, Parents: ItemQuery>(
        of side: @escaping @Sendable (Root) -> Side?, _ parents: Parents, by reference: PartialKeyPath<Side> & Sendable
    ) -> Inclusion where Parents.Root: Entity, Included == Parents.Output? {
        let query = parents.asIncludingQuery
        return Inclusion(
            tables: query.tables,
            link: { links throws(RepositoryError) in
                guard let others = try query.links() else { return false }
                let column = try Side.column(reference, referringTo: Parents.Root.self)
                let key = StoredColumn(try Parents.Root.schema.idColumn)
                for side in tables(of: Side.self) {
                    links.append(others, to: side, where: key, equals: StoredColumn(column))
                }
                return true
            },
            key: { item throws(RepositoryError) in
                guard let side = side(item) else { return .null }
                return try Side.column(reference, referringTo: Parents.Root.self).encode(side)
            },
            load: { store, keys throws(RepositoryError) in
                let parents = try store.fetch(query, by: try Parents.Root.schema.idColumn, in: keys)
                return Dictionary(parents.map { ($0.key, $0.item) }) { first, _ in first }
            }, none: nil, areTextsSame: query.areBothTextsSame)
    }

    static func first<Output>(of many: Inclusion<Root, [Output]>) -> Inclusion where Included == Output? {
        Inclusion(
            tables: many.tables, link: many.link, key: many.key,
            load: { store, keys throws(RepositoryError) in try many.load(store, keys).mapValues(\.first) },
            none: nil,
            areTextsSame: { left, right in
                many.areTextsSame(left.map { [$0] } ?? [], right.map { [$0] } ?? [])
            })
    }
}

extension IncludingQuery {
    /// Returns whether the texts of two equal arrays of results are also equal in the store, which compares bytes.
    @Sendable
    func areAllTextsSame(_ left: [Output], _ right: [Output]) -> Bool {
        zip(left, right).allSatisfy { areTextsSame($0, $1) }
    }

    /// Returns whether the texts of two equal results, which may both be `nil`, are also equal in the store.
    @Sendable
    fileprivate func areBothTextsSame(_ left: Output?, _ right: Output?) -> Bool {
        guard let left, let right else { return true }
        return areTextsSame(left, right)
    }
}

extension Entity {
    /// Returns the stored id of an item, or NULL if there is no item.
    fileprivate static func storedID(of item: Self?) throws(RepositoryError) -> SQLValue {
        guard let item else { return .null }
        return try schema.idColumn.stored(item.id)
    }

    /// Returns the column of a property that refers to another entity; throws if that entity stores its ids in a
    /// different encoding.
    fileprivate static func column<Other: Entity>(
        _ path: PartialKeyPath<Self> & Sendable, referringTo other: Other.Type
    ) throws(RepositoryError) -> AnyColumn<Self> {
        let (key, column) = (try Other.schema.idColumn, try schema.column(for: path))
        guard key.encoding == .exact, column.encoding == .exact, key.scale == column.scale else {
            throw .misuse(
                detail: "\(entityName).\(column.name) and the key of \(Other.entityName) are not stored alike")
        }
        return column
    }
}

extension ReadTransaction {
    /// Fetches the items that have one of the given values in a column, each together with this value.
    ///
    /// A limit and an offset apply to the items of each value separately.
    fileprivate func fetch<Item: Entity, Output>(
        _ query: IncludingQuery<Item, Output>, by column: AnyColumn<Item>, in keys: Set<SQLValue>
    ) throws(RepositoryError) -> [(key: SQLValue, item: Output)] {
        guard let index = Item.schema.names.firstIndex(of: column.name) else { return [] }
        let sql = try session.dialect.select(query.query, ofEach: StoredColumn(column), in: Array(keys))
        var found: (keys: [SQLValue], items: [Item]) = ([], [])
        try self.query(try session.statement(sql)) { statement throws(RepositoryError) in
            try statement.forEach { row throws(RepositoryError) in
                found.keys.append(try row.value(at: index))
                found.items.append(try row.item(Item.schema))
            }
        }
        return zip(found.keys, try query.complete(self, found.items)).map { (key: $0, item: $1) }
    }

    /// Reads the distinct pairs of a column's value and another value, from the rows whose column has one of the keys.
    fileprivate func pairs<Item: Entity>(
        _ column: AnyColumn<Item>, _ value: StoredTerm, of query: FetchQuery<Item>, in keys: Set<SQLValue>
    ) throws(RepositoryError) -> [(key: SQLValue, value: SQLValue)] {
        let sql = try session.dialect.pairs(StoredColumn(column), value, of: query, in: Array(keys))
        return try self.query(try session.statement(sql)) { statement throws(RepositoryError) in
            try statement.all { row throws(RepositoryError) in
                (key: try row.value(at: 0), value: try row.value(at: 1))
            }
        }
    }
}
