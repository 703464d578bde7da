/// A query that a live signal follows: a read that is repeated when its tables have changed.
///
/// On each run, the statements that it executes determine which tables it reads.
///
/// ```swift
/// let titles = LiveQuery { try $0.fetch(Movie.all.sorted(by: \.title)).map(\.title) }
/// let token = repository.follow(titles).sink(onValue: { print($0.commit, $0.value) }, onCompletion: { _ in })
/// ```
public struct LiveQuery<Output: Sendable & Equatable>: Sendable {
    /// Reads, replaces the last result if it differs, and returns whether it does.
    ///
    /// It compares values where the optimizer knows their type: with thousands of queries, one of which has changed,
    /// comparing is most of the work.
    @usableFromInline let read: @Sendable (ReadTransaction, inout Output?) throws -> Bool
    /// Whether two results are the same, so that nothing is delivered.
    @usableFromInline let isSame: @Sendable (Output, Output) -> Bool
    /// Makes the maintainer that updates the result from changed rows, for a store whose tables have a row order or for
    /// another one; `nil` for a query that is always re-read.
    @usableFromInline var maintainer: (@Sendable (_ hasRowOrder: Bool) -> (any Maintainer<Output>)?)?
    /// The tables whose rows the maintainer uses.
    @usableFromInline var tables: Set<String> = []
    /// The identity that equal queries share; `nil` if it is unknown.
    var identity: (@Sendable (any Dialect) -> LiveIdentity?)?

    /// Creates a query from a closure, which runs on a database queue and must not wait for anything.
    @inlinable
    public init(_ body: @escaping @Sendable (ReadTransaction) throws -> Output) {
        self.init(isSame: { $0 == $1 }, body)
    }

    @inlinable @inline(__always)
    init(
        isSame: @escaping @Sendable (Output, Output) -> Bool,
        _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) {
        self.isSame = isSame
        read = { transaction, last in
            let value = try body(transaction)
            if let last, isSame(last, value) { return false }
            last = value
            return true
        }
    }
}

extension LiveQuery {
    /// Returns the query with a maintainer that uses the rows of `tables`.
    func maintained(
        _ tables: Set<String>, _ maintainer: @escaping @Sendable (_ hasRowOrder: Bool) -> (any Maintainer<Output>)?
    ) -> LiveQuery {
        var query = self
        (query.tables, query.maintainer) = (tables, maintainer)
        return query
    }

    /// Returns the query with an identity, which it shares with queries that run and decode the same statement.
    func shared<Item>(_ item: Item.Type, _ sql: QuerySQL, _ decodingDetails: [String] = []) -> LiveQuery {
        var query = self
        query.identity = { dialect in
            guard let sql = try? sql.text(in: dialect) else { return nil }
            return LiveIdentity(item, Output.self, ([sql.text] + decodingDetails).joined(separator: "\n"), sql.bindings)
        }
        return query
    }

    func shared<Row>(_ rows: RowsQuery<Row>) -> LiveQuery {
        shared(Row.self, rows.sql, rows.decodingDetails)
    }

    @usableFromInline
    func followingRow<Item: Entity>(
        _ type: Item.Type, id: Item.ID, _ find: @escaping @Sendable (ReadTransaction) throws -> Item?
    ) -> LiveQuery where Output == Item? {
        // An id that cannot be stored has no row to follow; the query itself fails with the reason.
        guard let key = try? Item.schema.key, let stored = try? key.values(of: id) else { return self }
        var query = maintained([Item.entityName]) { _ in ReadMaintainer<Item>(stored, of: key, find) }
        let identity = LiveIdentity(type, Output.self, key.name, stored)
        query.identity = { _ in identity }
        return query
    }

    func following<Item: Entity>(_ aggregation: Result<Aggregation<Item, Output>, RepositoryError>) -> LiveQuery {
        following(aggregation) { aggregation in
            GroupsMaintainer.OutputBuilder(element: { try aggregation.value(of: $0) }) { values in
                guard let value = values.first else {
                    throw RepositoryError.misuse(detail: "an aggregate without groups returned no row")
                }
                return value
            }
        }
    }

    func followingGroups<Item: Entity, Key: ColumnValue, Value>(
        of aggregation: Result<Aggregation<Item, Value>, RepositoryError>
    ) -> LiveQuery where Output == [Grouped<Key, Value>] {
        following(aggregation) { aggregation in
            GroupsMaintainer.OutputBuilder(element: { try aggregation.group(of: $0) }, output: { $0 })
        }
    }

    private func following<Item: Entity, Value, Element>(
        _ aggregation: Result<Aggregation<Item, Value>, RepositoryError>,
        _ builder: @escaping @Sendable (Aggregation<Item, Value>) -> GroupsMaintainer<Element, Output>.OutputBuilder
    ) -> LiveQuery {
        guard case .success(let aggregation) = aggregation else { return self }
        return shared(Item.self, aggregation.sql).following(groupsOf: aggregation.statement) { _ in
            builder(aggregation)
        }
    }

    /// Returns the query, with a maintainer if its statement groups rows.
    func following<Element>(
        groupsOf statement: SelectStatement,
        _ builder: @escaping @Sendable (GroupPlan) -> GroupsMaintainer<Element, Output>.OutputBuilder
    ) -> LiveQuery {
        guard statement.groupOutputs != nil, let table = statement.tables.first else { return self }
        // Only SQLite's tables have a row order, and only its text functions are Swift's.
        return maintained([table.name]) { hasRowOrder in
            GroupPlan(statement, byCharacters: hasRowOrder).map { GroupsMaintainer($0, builder($0)) }
        }
    }

    func following<Item: Entity & Equatable>(
        _ query: FetchQuery<Item>, _ make: @escaping @Sendable (ItemList<Item>) -> Output
    ) -> LiveQuery {
        let live = shared(query.rows)
        // Conditions on other items need more than the rows of one table.
        if (try? query.condition?.stored())?.dependsOnOtherRows == true {
            return live.following(query, try? query.tableLinks(), KeyedRead(items: { make(ItemList($0)) }))
        }
        guard let window = try? ListWindow(query) else { return live }
        return live.maintained([Item.entityName]) { hasRowOrder in
            let window = window.isInRowOrder && !hasRowOrder ? try? ListWindow(query, hasRowOrder: false) : window
            return window.map { ListMaintainer($0, make) }
        }
    }

    /// Creates a query of items, which are compared as they are stored.
    init<Item: Fetchable & Equatable>(
        items body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) where Output == [Item] {
        let texts = StoredTexts<Item>()
        self.init(isSame: { $0 == $1 && texts.areSame($0, $1) }, body)
    }

    /// Creates a query of one item, which is compared as it is stored.
    @inlinable
    init<Item: Entity & Equatable>(
        item body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) where Output == Item? {
        let texts = StoredTexts<Item>()
        self.init(isSame: { $0 == $1 && texts.areSame($0, $1) }, body)
    }
}
