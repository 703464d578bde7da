/// A query for terms instead of whole items, whose rows are tuples of values.
///
/// ```swift
/// let years = Movie.all.select { ($0.title, $0.releaseDate.year()) }
/// let studios = Movie.all.select { $0.studio }.distinct()
/// let counts = Movie.all.grouped { $0.studio }.aggregate { ($0.id.count(), $0.boxOffice.sum()) }
/// ```
/// Rows are in the order of the query. Without sort keys, groups and distinct rows are in the order of their values.
public struct SelectQuery<Output: Sendable>: Sendable {
    var statement: Result<SelectStatement, RepositoryError>
    let read: @Sendable (RowSource) throws(RepositoryError) -> Output

    /// Removes duplicate rows.
    ///
    /// - Failure: `.misuse` if the query already has a limit or an offset: set it after `distinct()`, so that it counts
    ///   distinct rows. Also `.misuse` for an encrypted column. If the query has no groups, also `.misuse` for a sort
    ///   key that is not a selected column, because its value may differ between equal rows.
    public func distinct() -> SelectQuery {
        with { statement throws(RepositoryError) in try statement.makeDistinct() }
    }

    /// The same query, limited to one row.
    public var one: SelectQuery { with { $0.limit = min(1, $0.limit ?? 1) } }

    /// Limits the number of rows.
    ///
    /// A negative count is treated as zero.
    public func limit(_ count: Int) -> SelectQuery { with { $0.limit = max(0, count) } }

    /// Skips a number of rows at the start.
    ///
    /// A negative count is treated as zero.
    public func offset(_ count: Int) -> SelectQuery { with { $0.offset = max(0, count) } }

    private func with(_ change: (inout SelectStatement) throws(RepositoryError) -> Void) -> SelectQuery {
        var query = self
        query.statement = Result { () throws(RepositoryError) in
            var statement = try statement.get()
            try change(&statement)
            return statement
        }
        return query
    }
}

package struct SelectStatement: Sendable {
    package var outputs: [TermValue] = []
    package let tables: [SourceTable]
    package private(set) var joins: [StoredTest]
    package var test: StoredTest?
    package var groups: [StoredTerm] = []
    /// The number of outputs that are keys of the groups; `nil` if the statement does not group its rows.
    var groupOutputs: Int?
    package var having: StoredTest?
    package var order: [(term: StoredTerm, isDescending: Bool)]
    /// Whether tie-breakers follow the sort keys; see `Dialect.rowOrder(of:)`.
    package var isInRowOrder = true
    package var isReversed = false
    package private(set) var isDistinct = false
    /// Whether the query has its own sort keys, instead of the default order of its entity.
    private let isSorted: Bool
    package var limit: Int?
    package var offset: Int?

    package init<Root>(_ query: FetchQuery<Root>) throws(RepositoryError) {
        tables = Root.fetchSource.tables
        joins = try query.storedJoins()
        test = try query.condition?.stored()
        order = []
        for key in query.sortKeys { order.append((try key.term(), key.direction == .descending)) }
        (limit, offset, isReversed) = (query.limit, query.offset, query.isReversed)
        isSorted = !query.orderings.isEmpty
    }

    package mutating func narrow(to other: StoredTest) { test = test.map { .all([$0, other]) } ?? other }

    /// Selects the number of all rows, and removes the limit and the offset.
    mutating func makeCount() {
        outputs = [TermValue(.operation(.count, []), isOptional: false, .integer)]
        (order, isInRowOrder, isReversed) = ([], false, false)
        (groupOutputs, limit, offset) = (0, nil, nil)
    }

    package mutating func makeDistinct() throws(RepositoryError) {
        guard limit == nil, offset == nil else {
            throw .misuse(detail: "a limit or an offset comes before distinct: move it after distinct")
        }
        // Encrypted values differ in every row.
        for output in outputs { try output.checkNotEncrypted() }
        // Groups are already distinct.
        guard groups.isEmpty else { return }
        if !isSorted { order = [] }
        for key in order {
            guard let column = key.term.column, outputs.contains(where: { isSame(column, as: $0.term.column) }) else {
                throw .misuse(detail: "distinct rows can be sorted only by selected columns")
            }
        }
        isDistinct = true
    }
}

extension SelectStatement {
    var usesTime: Bool { parts.contains { $0.contains(where: \.isTime) } }

    /// The conditions and the terms of the statement.
    var parts: [StoredPart] {
        let tests = joins + [test, having].compactMap(\.self)
        return tests.map(StoredPart.test) + (outputs.map(\.term) + groups + order.map(\.term)).map(StoredPart.term)
    }

    /// A statement with the same result, in which the first outputs are the keys of the groups.
    ///
    /// Distinct rows become groups without aggregates. A key that is a whole item becomes all columns of the item.
    var groupedByOutputs: SelectStatement {
        var statement = self
        statement.isDistinct = false
        guard let count = groupOutputs ?? (isDistinct ? outputs.count : nil), count != groups.count else {
            return statement
        }
        (statement.groups, statement.groupOutputs) = (outputs.prefix(count).map(\.term), count)
        statement.order += statement.groups.map { (term: $0, isDescending: false) }
        statement.isInRowOrder = false
        return statement
    }

    /// Returns the statement with other join conditions.
    func joined(by condition: (StoredTest) -> StoredTest) -> SelectStatement {
        var statement = self
        statement.joins = joins.map(condition)
        return statement
    }

    /// Whether two columns are the same; a column of the only table may lack a table name.
    func isSame(_ column: StoredColumn, as other: StoredColumn?) -> Bool {
        guard let other, column.name == other.name else { return false }
        return column.table == other.table || name(of: column) == name(of: other)
    }

    /// Returns the statement's table that has a column; `nil` for a column of a `count(of:)` or `exists` subquery.
    func table(of column: StoredColumn) -> SourceTable? {
        let name = name(of: column)
        return tables.first { $0.label ?? $0.name == name }
    }

    private func name(of column: StoredColumn) -> String? {
        column.table ?? tables.first.map { $0.label ?? $0.name }
    }
}

extension FetchQuery {
    func storedJoins() throws(RepositoryError) -> [StoredTest] {
        var tests: [StoredTest] = []
        for join in joins { tests.append(try join.stored()) }
        return tests
    }

    /// Selects one or more terms, or whole items and terms; each row is a tuple of values.
    ///
    /// ```swift
    /// let titles = Movie.all.select { $0.title }
    /// let years = Movie.all.select { ($0.title, $0.releaseDate.year()) }
    /// let teams = Team.all.select { ($0, $0.count(of: Player.self, by: \.teamID)) }
    /// let pairs = Player.leftJoined(to: Team.self).select { player, team in (player, team, player.rating * 2) }
    /// ```
    /// Items must come before terms. The item of a side that may be missing is optional.
    public func select<each Value: Sendable>(
        @TermsBuilder<Root> _ terms: (Root.QueryTerms) -> Terms<Root, repeat each Value>
    ) -> SelectQuery<(repeat each Value)> {
        let selections = terms(Root.queryTerms).selections
        return SelectQuery(
            statement: statement { statement throws(RepositoryError) in
                for selection in repeat each selections { statement.outputs += try selection.outputs.get() }
            },
            read: { row throws(RepositoryError) in
                var position = 0
                return (repeat try (each selections).read(row, &position))
            })
    }

    /// Selects two properties.
    public func select<First: ColumnValue, Second: ColumnValue>(
        _ first: KeyPath<Root, First> & Sendable, _ second: KeyPath<Root, Second> & Sendable
    ) -> SelectQuery<(First, Second)> where Root: Entity {
        select { _ in (Term<Root, First>(first), Term<Root, Second>(second)) }
    }

    /// Selects one property.
    public func select<Value: ColumnValue>(
        _ property: KeyPath<Root, Value> & Sendable
    ) -> SelectQuery<Value> where Root: Entity { select { _ in Term<Root, Value>(property) } }

    func statement(
        _ change: (inout SelectStatement) throws(RepositoryError) -> Void
    ) -> Result<SelectStatement, RepositoryError> {
        Result { () throws(RepositoryError) in
            var statement = try SelectStatement(self)
            try change(&statement)
            return statement
        }
    }
}

extension Term {
    /// Returns the term as a single value of a row; throws for an id of several columns.
    func output() throws(RepositoryError) -> TermValue {
        let value = try value()
        if let column = value.column, !column.parts.isEmpty { try value.checkStoredAsOwnType() }
        return value
    }
}

struct TermReader<Value: ColumnValue>: Sendable {
    private let scale: Int
    private let name: String
    /// The reader of the column's own codec, if the column is not stored as its property's type.
    private let own: (@Sendable (RowSource, Int) throws -> any Sendable)?

    init<Root>(_ term: Term<Root, Value>) {
        let value = try? term.value()
        scale = value?.scale ?? 0
        name = value?.column?.name ?? "expression"
        own = value?.column.flatMap { $0.isPlain ? nil : $0.read }
    }

    func next(_ row: RowSource, _ position: inout Int) throws(RepositoryError) -> Value {
        defer { position += 1 }
        do {
            // If an item is missing, as in a left join, NULL must not reach the column's own codec.
            let isMissing = Value.isOptional && ColumnCell(row, index: Int32(position), scale: 0).isNull
            guard let own, !isMissing else {
                return try Value.read(from: ColumnCell(row, index: Int32(position), scale: scale))
            }
            guard let value = try own(row, position) as? Value else {
                throw ColumnFault.value("the column does not hold a value of \(Value.self)")
            }
            return value
        } catch {
            throw .decoding(entity: "result", column: name, detail: ColumnFault.sentence(error))
        }
    }
}
