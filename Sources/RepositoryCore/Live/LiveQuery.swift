/// A query for a live signal: a closure that reads the store, and runs again when the tables that it has read change.
///
/// On each run, the statements that the closure executes determine these tables.
///
/// ```swift
/// let titles = LiveQuery { try $0.fetch(Movie.all.sorted(by: \.title)).map(\.title) }
/// let token = repository.follow(titles).sink(onValue: { print($0.commit, $0.value) }, onCompletion: { _ in })
/// ```
public struct LiveQuery<Output: Sendable & Equatable>: Sendable {
    /// Runs the closure, replaces the last result if the new one differs, and returns whether it differs.
    ///
    /// This closure compares the results, because the optimizer knows their type here. The comparison must be fast: it
    /// takes most of the time if only one of thousands of re-read queries has changed.
    @usableFromInline let read: @Sendable (ReadTransaction, inout Output?) throws -> Bool
    /// Whether two results are the same; an unchanged result is not delivered.
    @usableFromInline let isSame: @Sendable (Output, Output) -> Bool
    /// Makes the maintainer that updates the result from changed rows; `nil` for a query that is always re-read.
    var maintainer: (@Sendable (StoreRules) -> (any Maintainer<Output>)?)?
    /// The tables whose changed rows the maintainer processes, each with a filter for the rows that it needs.
    var use: [String: RowFilter] = [:]
    /// Returns the identity by which equal queries are recognized; `nil` for a query that is never shared.
    var identity: (@Sendable (any Dialect) -> LiveIdentity?)?

    /// Creates a query from a closure, which runs on a database queue and so must not block.
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
    /// Returns the query with a maintainer that processes the changed rows that pass the filters `use` and, if the
    /// statement uses the current time, also follows the time.
    func maintained(
        _ use: [String: RowFilter], _ statement: SelectStatement? = nil,
        _ maintainer: @escaping @Sendable (StoreRules) -> (any Maintainer<Output>)?
    ) -> LiveQuery {
        var query = self
        (query.use, query.maintainer) = (use, maintainer)
        if let statement, statement.usesTime {
            query.maintainer = { rules in maintainer(rules).flatMap { TimedMaintainer(statement, $0, rules) } }
        }
        return query
    }

    /// Returns the query with an identity, which is equal for queries with the same statement and decoding.
    func shared<Item>(_ item: Item.Type, _ sql: QuerySQL, _ decodingDetails: [String] = []) -> LiveQuery {
        var query = self
        query.identity = { dialect in
            guard let sql = try? sql.text(in: dialect) else { return nil }
            var details = [sql.text] + decodingDetails
            if !sql.lateValues.isEmpty { details.append("\(sql.lateValues.map(\.index))") }
            return LiveIdentity(item, Output.self, details.joined(separator: "\n"), sql.bindings)
        }
        return query
    }

    @usableFromInline
    func followingRow<Item: Entity>(
        _ type: Item.Type, id: Item.ID, _ find: @escaping @Sendable (ReadTransaction) throws -> Item?
    ) -> LiveQuery where Output == Item? {
        // An id that cannot be stored has no row to follow; the query itself fails with the reason.
        guard let key = try? Item.schema.key, let stored = try? key.values(of: id) else { return self }
        var query = maintained([Item.entityName: .equal(column: key.names[0], [stored[0]])]) { rules in
            rules.areExact(key.names, of: Item.entityName) ? ReadMaintainer<Item>(stored, of: key, find) : nil
        }
        let identity = LiveIdentity(type, Output.self, key.name, stored)
        query.identity = { _ in identity }
        return query
    }

    /// Returns the query with a maintainer that counts the rows of `query`; `answer` makes the result from the count.
    func following<Root>(countOf query: FetchQuery<Root>, _ answer: @escaping @Sendable (Int) -> Output) -> LiveQuery {
        guard var statement = try? SelectStatement(query) else { return self }
        let (limit, offset) = (statement.limit ?? .max, statement.offset ?? 0)
        statement.makeCount()
        let sql = QuerySQL { [statement] dialect throws(RepositoryError) in try dialect.select(statement) }
        return shared(Root.self, sql, ["\(limit) \(offset)"]).following(groupsOf: statement) { _ in
            GroupsMaintainer.OutputBuilder(element: { $0.first }) { counts, _ in
                guard case .integer(let count)?? = counts.first else { throw RowFault() }
                return answer(min(limit, max(0, Int(count) - offset)))
            }
        }
    }

    func following<Item: Entity>(_ aggregation: Result<Aggregation<Item, Output>, RepositoryError>) -> LiveQuery {
        following(aggregation) { aggregation in
            GroupsMaintainer.OutputBuilder(element: { try aggregation.value(of: $0) }) { values, _ in
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
            GroupsMaintainer.OutputBuilder(element: { try aggregation.group(of: $0) }, output: { groups, _ in groups })
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

    /// Returns the query with a maintainer for its groups, or unchanged if the statement has none.
    func following<Element>(
        groupsOf statement: SelectStatement,
        _ builder: @escaping @Sendable (GroupPlan) -> GroupsMaintainer<Element, Output>.OutputBuilder
    ) -> LiveQuery {
        guard statement.groupOutputs != nil || statement.isDistinct, let links = try? statement.links() else {
            return self
        }
        return maintained(links.use, statement) { rules in
            GroupPlan(statement, rules).map { GroupsMaintainer($0, builder($0)) }
        }
    }

    /// Returns the query with a maintainer of the items of `query`, whose statement is `rows`.
    ///
    /// `name` identifies the part of the items that `make` outputs, and is empty for all items.
    func following<Item: Fetchable & Equatable>(
        _ query: FetchQuery<Item>, _ rows: RowsQuery<Item>, named name: String = "",
        _ make: @escaping @Sendable (ItemTree<Item>) -> Output
    ) -> LiveQuery {
        let live = shared(Item.self, rows.sql, rows.decodingDetails + [name])
        guard let statement = try? SelectStatement(query) else { return live }
        var read = ListRead<Item, Item, Output>(items: make)
        read.showsAll = name.isEmpty
        guard let entity = Item.self as? any Entity.Type else {
            return live.following(statement, try? statement.links(), read)
        }
        return live.following(listOf: statement, read) { entity.rowReader($0) as? RowReader<Item> }
    }

    /// Creates a query of one item, whose results are compared by `==` and by their stored texts.
    @inlinable
    init<Item: Entity & Equatable>(
        item body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) where Output == Item? {
        let texts = StoredTexts<Item>()
        self.init(isSame: { $0 == $1 && texts.areSame($0, $1) }, body)
    }
}
