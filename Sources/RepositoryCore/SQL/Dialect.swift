import Signals

/// The SQL of an engine; the extensions contain the SQL that all engines share.
///
/// A query is data: conditions, terms and orders. A dialect writes it as a statement when a connection executes it.
package protocol Dialect: Sendable {
    /// Returns whether this dialect writes every query exactly as another dialect does.
    func writesSameSQL(as other: any Dialect) -> Bool

    /// The operator for equality that treats NULL as equal to NULL.
    var same: StaticString { get }
    /// The operator for inequality that treats NULL as equal to NULL.
    var notSame: StaticString { get }
    /// The name of the floating-point type.
    var real: StaticString { get }

    /// Returns an equivalent test that compares only with values that the engine can hold.
    func possible(_ test: StoredTest) -> StoredTest
    /// Returns the SQL that tests whether a column equals a value, or differs from it; either may be NULL.
    func condition(_ column: StoredColumn, isSame: Bool, as value: SQLValue) -> SQLText
    func condition(_ columns: [StoredColumn], areOneOf rows: [[SQLValue]]) -> SQLText
    /// Returns the SQL that tests whether a column has one of the values. At least one is given, and none is NULL.
    func condition(_ column: StoredColumn, isAmong values: [SQLValue]) throws(RepositoryError) -> SQLText
    /// Returns the SQL of the condition that a term of a Boolean type is true.
    func condition(truthOf value: StoredTerm) throws(RepositoryError) -> SQLText
    /// Returns the SQL that computes an operation. An aggregate function covers only the rows that pass `test`.
    func result(
        _ operation: Operation, of arguments: [StoredTerm], where test: StoredTest?
    ) throws(RepositoryError) -> SQLText
    /// Returns the SQL of a term as an operand. If a value in another program's table has the wrong storage class, the
    /// statement fails.
    func operand(_ term: StoredTerm) throws(RepositoryError) -> SQLText
    /// Returns the SQL of a test as a value: 1 or 0.
    func value(of test: StoredTest) throws(RepositoryError) -> SQLText
    /// Returns the SQL of a computed floating-point number, with NULL instead of NaN.
    func unlessNaN(_ number: StoredTerm) throws(RepositoryError) -> SQLText

    /// Whether tables have row numbers, in whose order a query without sort keys returns rows.
    var hasRowOrder: Bool { get }
    /// The SQL for a row's number, such as SQLite's rowid. Reading a table in the order of these numbers is fastest.
    func rowNumber(of table: String?) -> SQLText
    /// The terms that order a table's rows unambiguously in a query without sort keys.
    func order(of table: SourceTable) throws(RepositoryError) -> [StoredTerm]
    /// The SQL for the direction of a sort key. NULL is less than every value.
    func direction(of key: StoredTerm, isDescending: Bool) -> SQLText
    func limit(_ limit: Int?, offset: Int?) -> SQLText

    /// The beginning of an INSERT statement, up to the table's name.
    func insertion(into table: String) -> SQLText
    /// The beginning of an UPDATE statement, up to the table's name.
    func update(of table: String) -> SQLText
    /// The SQL for a value to store in a column. The statement fails if the column would convert the value.
    func stored(_ value: SQLText, in column: String, of table: String) -> SQLText
    /// Whether an upsert can use `excluded` to refer to the values that it could not insert.
    func canUseExcluded(in table: String) -> Bool
    /// Whether a stored text may differ from the text that was bound.
    func changesTexts(of table: String) -> Bool

    /// The SQL for a key: parameter `number`, or a key that the store generates if the parameter's value is NULL.
    func generatedKey(_ column: String, of table: String, number: Int) -> SQLText
    /// The end of a statement that stores a row and returns its key; empty if the engine reports generated keys itself.
    func returning(key column: String) -> SQLText

    /// Returns the SQL that tests whether a row of a table contains the words of a search.
    func condition(rowOf table: String?, matches pattern: SearchPattern) -> SQLText
    /// Returns the join condition of a table's row and its row in the full-text index, which must contain the words.
    func condition(rowOf table: String, isFoundBy pattern: SearchPattern) -> SQLText
    /// A table's full-text index, with the condition that joins the index to the table.
    func searchIndex(of table: String, for pattern: SearchPattern) -> SQLText
    func value(_ value: SearchValue, of index: String) -> SQLText

    /// A statement that explains how the engine executes another statement.
    func plan(of statement: SQLText) -> SQLText
    /// Reads the steps of a plan, each indented below the step that it is part of.
    func steps(ofPlan statement: any StoreStatement) throws(RepositoryError) -> [String]
    /// A query that tests whether the store has an identity, with which the URLs of its items begin.
    var hasIdentity: SQLText { get }
    /// A statement that creates the table for the identity.
    func createIdentity() throws(RepositoryError) -> SQLText
}

extension Dialect {
    package func writesSameSQL(as other: any Dialect) -> Bool { type(of: other) == Self.self }

    package var hasRowOrder: Bool { true }

    package func insertion(into table: String) -> SQLText { "INSERT INTO \(changing: table)" }

    package func update(of table: String) -> SQLText { "UPDATE \(changing: table)" }

    package func stored(_ value: SQLText, in column: String, of table: String) -> SQLText { value }

    package func canUseExcluded(in table: String) -> Bool { true }

    package func changesTexts(of table: String) -> Bool { false }

    package func possible(_ test: StoredTest) -> StoredTest { test }

    // NULL is a literal and not bound, so that an index scan can begin after the NULLs.
    package func condition(_ column: StoredColumn, isSame: Bool, as value: SQLValue) -> SQLText {
        let sign = isSame ? same : notSame
        return value == .null ? "\(column)\(literal: sign)NULL" : "\(column)\(literal: sign)\(bind: value)"
    }

    // SQLite builds a temporary index of the subquery's rows, and looks up each row in the index of the key.
    package func condition(_ columns: [StoredColumn], areOneOf rows: [[SQLValue]]) -> SQLText {
        "(\(columns)) IN (SELECT * FROM (VALUES \(rows: rows)) AS keys)"
    }

    package func generatedKey(_ column: String, of table: String, number: Int) -> SQLText { "?" }

    package func returning(key column: String) -> SQLText { "" }

    package func unlessNaN(_ number: StoredTerm) throws(RepositoryError) -> SQLText { try term(number) }

    package func operand(_ term: StoredTerm) throws(RepositoryError) -> SQLText { try self.term(term) }

    package func searchIndex(of table: String, for pattern: SearchPattern) -> SQLText {
        let isFound = pattern.pieces.isEmpty ? "FALSE" : condition(rowOf: table, isFoundBy: pattern)
        return "\(table: pattern.index) ON \(isFound)"
    }

    package var identity: SQLText { "SELECT identity FROM signal_repository_identity" }

    package func giveIdentity(_ identity: String) -> SQLText {
        "INSERT INTO signal_repository_identity (identity) VALUES (\(bind: .text(identity)))"
    }
}

// Statements for opening a store.
extension Dialect {
    /// The query for the names of the migrations that have run, in order.
    package var migrations: SQLText { "SELECT name FROM signal_repository_migrations ORDER BY number" }

    package func recordMigration(_ name: String) -> SQLText {
        "INSERT INTO signal_repository_migrations (name) VALUES (\(bind: .text(name)))"
    }

    /// Returns the query that counts the values of a column that are not NULL.
    package func values(of column: String, in table: String) -> SQLText {
        "SELECT count(\(name: column)) FROM \(table: table)"
    }

    package func copy(_ columns: [(name: String, source: String)], of table: String, to other: String) -> SQLText {
        """
        INSERT INTO \(changing: other) (\(names: columns.map(\.name))) \
        SELECT \(names: columns.map(\.source)) FROM \(table: table)
        """
    }
}

/// The SQL of a query, written when a connection first needs it, and cached for one dialect.
package final class QuerySQL: Sendable {
    private let write: @Sendable (any Dialect) throws(RepositoryError) -> SQLText
    private let last = Lock<(dialect: any Dialect, sql: Result<SQLText, RepositoryError>)?>(nil)

    package init(_ write: @escaping @Sendable (any Dialect) throws(RepositoryError) -> SQLText) {
        self.write = write
    }

    package func text(in dialect: any Dialect) throws(RepositoryError) -> SQLText {
        if let last = last.withLock({ $0 }), last.dialect.writesSameSQL(as: dialect) { return try last.sql.get() }
        let sql = Result { () throws(RepositoryError) in try write(dialect) }
        last.withLock { $0 = (dialect, sql) }
        return try sql.get()
    }
}
