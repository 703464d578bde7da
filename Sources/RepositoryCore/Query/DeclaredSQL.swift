/// An expression in a schema: a condition on a row, a value computed from a row, or raw SQL.
package struct DeclaredSQL: DeclaredExpression {
    package enum Content {
        case test(StoredTest)
        case term(StoredTerm)
        case text(SQLText)
    }

    /// Makes the expression; can be called only after the schema exists.
    package let content: @Sendable () throws(RepositoryError) -> Content

    init<Root: Entity>(_ condition: @escaping @Sendable (Columns<Root, Root>) -> Condition<Root>) {
        content = { () throws(RepositoryError) in
            let columns = Columns<Root, Root>(table: nil)
            return .test(StandaloneRenaming(columns).test(try condition(columns).stored()))
        }
    }

    init<Root: Entity, Value>(
        of term: @escaping @Sendable (Columns<Root, Root>) -> Term<Root, Value>,
        for path: KeyPath<Root, Value> & Sendable
    ) {
        content = { () throws(RepositoryError) in
            let column = try Root.schema.column(for: path)
            let columns = Columns<Root, Root>(table: nil)
            let value = try term(columns).value().checked(for: Value.self)
            return .term(
                StandaloneRenaming(columns).term(try value.assigned(to: "the column", scale: column.scale ?? 0)))
        }
    }

    init(_ sql: @escaping @Sendable () -> SQL) {
        content = { () throws(RepositoryError) in .text(try sql().text()) }
    }
}

extension TableClause where Root: Entity {
    /// Rejects items that do not meet a condition.
    ///
    /// A condition is true or false, as in every query: `$0.gross >= 0` is false for a gross that is `nil`.
    /// - Failure: A change that breaks the condition fails with `.constraint(kind: .check, …)`, whose diagnosis
    ///   contains the name of the check. A store with items that break the condition does not open.
    public static func check(
        _ name: String, _ condition: @escaping @Sendable (Columns<Root, Root>) -> Condition<Root>
    ) -> Self {
        Self(name, .check, DeclaredSQL(condition))
    }

    /// Rejects items for which an SQL expression is false; NULL passes.
    public static func check(_ name: String, sql: @escaping @autoclosure @Sendable () -> SQL) -> Self {
        Self(name, .check, DeclaredSQL(sql))
    }

    /// Declares an index of the items that meet a condition.
    ///
    /// It is smaller than an index of all items, and serves queries with the same condition.
    public static func index(
        _ name: String, _ paths: Schema<Root>.Paths,
        where condition: @escaping @Sendable (Columns<Root, Root>) -> Condition<Root>
    ) -> Self {
        Self(name, .index(paths, isUnique: false), DeclaredSQL(condition))
    }

    /// Declares that no two items that meet a condition have the same values in the columns.
    public static func unique(
        _ name: String, _ paths: Schema<Root>.Paths,
        where condition: @escaping @Sendable (Columns<Root, Root>) -> Condition<Root>
    ) -> Self {
        Self(name, .index(paths, isUnique: true), DeclaredSQL(condition))
    }

    /// Declares an index of SQL expressions, such as `"lower(title), year"`, for SQL queries with the same expressions.
    public static func index(_ name: String, sql: @escaping @autoclosure @Sendable () -> SQL) -> Self {
        Self(name, .index([], isUnique: false), DeclaredSQL(sql))
    }

    /// Declares that no two items have the same values of SQL expressions.
    public static func unique(_ name: String, sql: @escaping @autoclosure @Sendable () -> SQL) -> Self {
        Self(name, .index([], isUnique: true), DeclaredSQL(sql))
    }

    /// Declares a foreign key: the columns refer to another entity's item, whose key has the same number of columns.
    ///
    /// The referenced item must exist, unless one of the columns is `nil`. The store creates an index of the columns,
    /// unless the entity's own key begins with them.
    public static func references<Target: Entity>(
        _ paths: Schema<Root>.Paths, _ target: Target.Type, onDelete rule: DeleteRule = .restrict
    ) -> Self {
        Self("", .references(paths, ColumnReference(target, rule)))
    }

    /// Makes the entity a view: its items are the rows of a query, and can be read and observed, but not stored.
    ///
    /// ```swift
    /// struct Studio: Entity, Equatable {
    ///     let id: String
    ///     let movies: Int
    ///     static let schema = Schema(
    ///         Column("id", \Studio.id), Column("movies", \.movies),
    ///         clauses: [.view("SELECT studio AS id, count(*) AS movies FROM Movie GROUP BY 1 HAVING studio > ''")],
    ///         make: Studio.init)
    /// }
    /// ```
    /// The query must name its columns as the schema does, and no two of its rows may have the same id. Live queries
    /// over the view are re-read when a table that the view reads has changed.
    public static func view(_ query: @escaping @autoclosure @Sendable () -> SQL) -> Self {
        Self("", .view, DeclaredSQL(query))
    }

}

extension Column where Root: Entity {
    /// Declares a column that the store computes from the other columns of its row.
    ///
    /// Queries use the column like any other.
    ///
    /// ```swift
    /// struct Ticket: Entity {
    ///     let id: Int
    ///     var price: Double
    ///     var fee: Double
    ///     var total = 0.0
    ///
    ///     static let schema = Schema(
    ///         Column("id", \Ticket.id), Column("price", \.price), Column("fee", \.fee),
    ///         Column("total", \.total, computed: { $0.price + $0.fee }), make: Ticket.init)
    /// }
    ///
    /// let tickets = try SQLiteRepository(.inMemory, entities: Ticket.self)
    /// print(try await tickets.create(Ticket(id: 1, price: 9, fee: 0.5)).value().total)  // 9.5
    /// ```
    /// The value that an item has for the property is not stored. Computed columns must come after all other columns.
    /// - Failure: `.misuse` for an assignment; `.constraint` for a row whose value the column cannot hold.
    public init<Value: ColumnValue>(
        _ name: String, _ path: KeyPath<Root, Value> & Sendable, _ options: ColumnOption<Value>...,
        computed term: @escaping @Sendable (Columns<Root, Root>) -> Term<Root, Value>
    ) where Codec == DirectCodec<Value> {
        self.init(
            name: name, path: path, codec: DirectCodec(), options: options,
            computation: DeclaredSQL(of: term, for: path))
    }

    /// Declares a column that the store computes with an SQL expression from the other columns of its row.
    public init<Value: ColumnValue>(
        _ name: String, _ path: KeyPath<Root, Value> & Sendable, _ options: ColumnOption<Value>...,
        computedBy sql: @escaping @autoclosure @Sendable () -> SQL
    ) where Codec == DirectCodec<Value> {
        self.init(name: name, path: path, codec: DirectCodec(), options: options, computation: DeclaredSQL(sql))
    }
}
