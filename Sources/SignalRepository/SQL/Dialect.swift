import Signals

/// How an engine spells what has no common form in SQL; what all engines spell alike is in the extensions.
///
/// A query is data: conditions, terms, orders. A dialect writes it as a statement when a connection is about to execute
/// it.
package protocol Dialect: Sendable {
    /// The operator that finds two values equal, and two NULL.
    var same: StaticString { get }
    /// The operator that finds two values different, and one that is NULL.
    var notSame: StaticString { get }
    /// The name of the type of floating-point numbers.
    var real: StaticString { get }

    /// The test that means the same and compares with no value that the engine cannot hold.
    func possible(_ test: StoredTest) -> StoredTest
    /// Writes that a column has a value, or that it has not, where either may be NULL.
    func append(_ column: StoredColumn, isSame: Bool, as value: SQLValue, to sql: inout SQLText)
    /// Writes that columns have the values of one of some rows.
    func append(_ columns: [StoredColumn], areOneOf rows: [[SQLValue]], to sql: inout SQLText)
    /// Writes that a column has one of some values, none of which is NULL; there is one at least.
    func append(_ column: StoredColumn, isAmong values: [SQLValue], to sql: inout SQLText) throws(RepositoryError)
    /// Writes what is computed of terms; for many rows, of those that pass a test.
    func append(
        _ operation: Operation, of arguments: [StoredTerm], where test: StoredTest?, to sql: inout SQLText
    ) throws(RepositoryError)
    /// Writes a test in the place of a value: 1 or 0.
    func append(valueOf test: StoredTest, to sql: inout SQLText) throws(RepositoryError)
    /// Writes a floating-point number that is computed; NULL where it is not a number.
    func append(unlessNaN number: StoredTerm, to sql: inout SQLText) throws(RepositoryError)
    /// Writes a value in the place of a test.
    func append(truthOf term: StoredTerm, to sql: inout SQLText) throws(RepositoryError)

    /// Whether a table has an order of its own, in which it is read where no other is asked for.
    var hasRowOrder: Bool { get }
    /// Writes the number of a row, in whose order its table is read fastest.
    func append(rowNumberOf table: String?, to sql: inout SQLText)
    /// What tells the rows of a table apart, in the order in which they are read where no other is asked for.
    func order(of table: SourceTable) throws(RepositoryError) -> [StoredTerm]
    /// Writes the direction of a sort key; NULL comes before everything.
    func append(isDescending: Bool, of key: StoredTerm, to sql: inout SQLText)
    /// Writes how many rows there are at most, and how many are skipped.
    func append(limit: Int?, offset: Int?, to sql: inout SQLText)
    /// Writes the two columns by which a sum cannot overflow on the way.
    func append(_ sum: WideSum, of column: StoredColumn, to sql: inout SQLText)

    /// The beginning of a statement that inserts into a table, up to the table's name.
    func insertion(into table: String) -> StaticString
    /// The beginning of a statement that updates a table, up to the table's name.
    func update(of table: String) -> StaticString
    /// Writes a value that a statement stores in a column, so that it fails where the column would make another of it.
    func append(_ value: SQLText, storedIn column: String, of table: String, to sql: inout SQLText)
    /// Whether an upsert may refer to the values that it could not insert.
    func canUseExcluded(in table: String) -> Bool
    /// Whether a stored text may differ from the one that was given.
    func changesTexts(of table: String) -> Bool

    /// Writes the parameter of a key that the store gives where its value is NULL; it is the one with a number.
    func append(generatedKey column: String, of table: String, number: Int, to sql: inout SQLText)
    /// Has a statement that stores one row tell the key, where the store gives it and the engine does not tell it by
    /// itself.
    func append(returningKey column: String, to sql: inout SQLText)

    /// Writes that a row of a table is one in which words are.
    func append(rowOf table: String?, matches pattern: SearchPattern, to sql: inout SQLText)
    /// Writes that a row of a table is the one of a full-text index beside it, and that words are in that.
    func append(rowOf table: String, isFoundBy pattern: SearchPattern, to sql: inout SQLText)
    /// Writes the full-text index beside a table, with what joins the two.
    func append(searchOf table: String, for pattern: SearchPattern, to sql: inout SQLText)
    /// Writes what a full-text index tells of a row.
    func append(_ value: SearchValue, of index: String, to sql: inout SQLText)

    /// Asks how a statement would be executed.
    func plan(of statement: SQLText) -> SQLText
    /// Reads the answer: the steps, each indented below the one that it is part of.
    func steps(ofPlan statement: any StoreStatement) throws(RepositoryError) -> [String]
    /// Asks whether the store has been given an identity: a name, with which the URLs of its items begin.
    var hasIdentity: SQLText { get }
    /// Creates the table for the identity.
    func createIdentity() throws(RepositoryError) -> SQLText
}

extension Dialect {
    package var hasRowOrder: Bool { true }

    package func insertion(into table: String) -> StaticString { "INSERT INTO " }

    package func update(of table: String) -> StaticString { "UPDATE " }

    package func append(_ value: SQLText, storedIn column: String, of table: String, to sql: inout SQLText) {
        sql.append(value)
    }

    package func canUseExcluded(in table: String) -> Bool { true }

    package func changesTexts(of table: String) -> Bool { false }

    package func possible(_ test: StoredTest) -> StoredTest { test }

    package func append(_ column: StoredColumn, isSame: Bool, as value: SQLValue, to sql: inout SQLText) {
        sql.append(column: column)
        sql.append(isSame ? same : notSame)
        sql.bind(value)
    }

    // Of rows that stand in a query of their own SQLite makes an index, and looks each up in that of the key.
    package func append(_ columns: [StoredColumn], areOneOf rows: [[SQLValue]], to sql: inout SQLText) {
        append(columns, to: &sql)
        sql.append(" IN (SELECT * FROM (VALUES ")
        append(rows, to: &sql)
        sql.append(") AS keys)")
    }

    package func append(generatedKey column: String, of table: String, number: Int, to sql: inout SQLText) {
        sql.append(parameters: 1)
    }

    package func append(returningKey column: String, to sql: inout SQLText) {}

    package func append(unlessNaN number: StoredTerm, to sql: inout SQLText) throws(RepositoryError) {
        try append(number, to: &sql)
    }

    package func append(searchOf table: String, for pattern: SearchPattern, to sql: inout SQLText) {
        sql.append(table: pattern.index)
        sql.append(" ON ")
        if pattern.pieces.isEmpty { return sql.append("FALSE") }
        append(rowOf: table, isFoundBy: pattern, to: &sql)
    }

    /// Reads the identity.
    package var identity: SQLText { SQLText("SELECT identity FROM signal_repository_identity") }

    /// Gives the store an identity.
    package func giveIdentity(_ identity: String) -> SQLText {
        var sql = SQLText("INSERT INTO signal_repository_identity (identity) VALUES (")
        sql.bind(.text(identity))
        sql.append(")")
        return sql
    }
}

// What opening asks and notes.
extension Dialect {
    /// Reads the names of the migrations that have run, in their order.
    package var migrations: SQLText { SQLText("SELECT name FROM signal_repository_migrations ORDER BY number") }

    /// Notes that a migration has run.
    package func recordMigration(_ name: String) -> SQLText {
        var sql = SQLText("INSERT INTO signal_repository_migrations (name) VALUES (")
        sql.bind(.text(name))
        sql.append(")")
        return sql
    }

    /// Counts the values of a column.
    package func values(of column: String, in table: String) -> SQLText {
        var sql = SQLText("SELECT count(")
        sql.append(name: column)
        sql.append(") FROM ")
        sql.append(table: table)
        return sql
    }

    /// Copies rows of a table into another.
    package func copy(
        _ columns: [(name: String, source: String)], of table: String, to other: String
    ) -> SQLText {
        var sql = SQLText("INSERT INTO ")
        sql.append(changing: other)
        sql.append(" (")
        sql.append(names: columns.map(\.name))
        sql.append(") SELECT ")
        sql.append(names: columns.map(\.source))
        sql.append(" FROM ")
        sql.append(table: table)
        return sql
    }
}

/// The SQL of a query, which is written when an engine asks for it, and once for each dialect.
package final class QuerySQL: Sendable {
    private let write: @Sendable (any Dialect) throws(RepositoryError) -> SQLText
    private let last = Lock<(dialect: any Dialect.Type, sql: Result<SQLText, RepositoryError>)?>(nil)

    package init(_ write: @escaping @Sendable (any Dialect) throws(RepositoryError) -> SQLText) {
        self.write = write
    }

    /// The statement, as an engine spells it.
    package func text(in dialect: any Dialect) throws(RepositoryError) -> SQLText {
        let kind = type(of: dialect)
        if let last = last.withLock({ $0 }), last.dialect == kind { return try last.sql.get() }
        let sql = Result { () throws(RepositoryError) in try write(dialect) }
        last.withLock { $0 = (kind, sql) }
        return try sql.get()
    }
}
