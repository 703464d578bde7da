public import Signals

/// How SQLite will execute a query.
public struct QueryPlan: Sendable, Hashable, CustomStringConvertible {
    /// The statement, without its values.
    public let sql: String
    /// The steps, in SQLite's words, each indented below the one that it is part of.
    public let steps: [String]

    /// The steps, a line each.
    public var description: String { steps.joined(separator: "\n") }
}

extension Repository {
    /// Tells how a query would be executed: which index it uses, and whether it sorts.
    ///
    /// ```swift
    /// let plan = try await repository.explain(Movie.where { $0.studio == "Gramercy" }).value()
    /// print(plan)  // SEARCH Movie USING INDEX index_Movie(studio) (studio=?)
    /// ```
    /// - Delivery: one plan; then it finishes. Nothing of the query is executed.
    /// - Failure: `.misuse`.
    public func explain<Item: Fetchable>(_ query: FetchQuery<Item>) -> Signal<QueryPlan, RepositoryError> {
        let rows = query.rows
        return signal(for: .read(RepositoryCall("explain", rows)) { store in try store.plan(of: rows) })
    }
}

extension ReadTransaction {
    /// Tells how a query would be executed: which index it uses, and whether it sorts.
    ///
    /// - Failure: `.misuse`.
    public func explain<Item: Fetchable>(_ query: FetchQuery<Item>) throws(RepositoryError) -> QueryPlan {
        try plan(of: query.rows)
    }

    final func plan<Output>(of rows: RowsQuery<Output>) throws(RepositoryError) -> QueryPlan {
        try checkUsable()
        let select = try rows.sql.text(in: session.dialect)
        return try query(try session.statement(session.dialect.plan(of: select))) { statement throws(RepositoryError) in
            QueryPlan(sql: select.text, steps: try session.dialect.steps(ofPlan: statement))
        }
    }
}
