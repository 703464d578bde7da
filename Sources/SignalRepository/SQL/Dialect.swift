import Signals

/// How an engine spells what has no common form in SQL; what all engines spell alike is in the extensions.
///
/// A query is data: conditions, terms, orders. A dialect writes it as a statement when a connection is about to execute
/// it.
package protocol Dialect: Sendable {
    /// Whether it spells every query as another dialect does.
    func spells(as other: any Dialect) -> Bool

    /// The operator that finds two values equal, and two NULL.
    var same: StaticString { get }
    /// The operator that finds two values different, and one that is NULL.
    var notSame: StaticString { get }
    /// The name of the type of floating-point numbers.
    var real: StaticString { get }

    /// The test that means the same and compares with no value that the engine cannot hold.
    func possible(_ test: StoredTest) -> StoredTest
    /// The test that a column has a value, or that it has not, where either may be NULL.
    func condition(_ column: StoredColumn, isSame: Bool, as value: SQLValue) -> SQLText
    func condition(_ columns: [StoredColumn], areOneOf rows: [[SQLValue]]) -> SQLText
    /// The test that a column has one of some values, none of which is NULL; there is one at least.
    func condition(_ column: StoredColumn, isAmong values: [SQLValue]) throws(RepositoryError) -> SQLText
    /// A value in the place of a test.
    func condition(truthOf value: StoredTerm) throws(RepositoryError) -> SQLText
    /// The result of an operation on terms; of one over many rows, for those that pass a test.
    func result(
        _ operation: Operation, of arguments: [StoredTerm], where test: StoredTest?
    ) throws(RepositoryError) -> SQLText
    /// A term as an operand; in a table of another program the statement fails where a value is not of its column's
    /// class.
    func operand(_ term: StoredTerm) throws(RepositoryError) -> SQLText
    /// A test in the place of a value: 1 or 0.
    func value(of test: StoredTest) throws(RepositoryError) -> SQLText
    /// A floating-point number that is computed; NULL where it is not a number.
    func unlessNaN(_ number: StoredTerm) throws(RepositoryError) -> SQLText

    /// Whether a table has an order of its own, in which it is read where no other is asked for.
    var hasRowOrder: Bool { get }
    /// The number of a row, in whose order its table is read fastest.
    func rowNumber(of table: String?) -> SQLText
    /// What tells the rows of a table apart, in the order in which they are read where no other is asked for.
    func order(of table: SourceTable) throws(RepositoryError) -> [StoredTerm]
    /// The direction of a sort key; NULL comes before everything.
    func direction(of key: StoredTerm, isDescending: Bool) -> SQLText
    func limit(_ limit: Int?, offset: Int?) -> SQLText

    /// The beginning of a statement that inserts into a table, with the table's name.
    func insertion(into table: String) -> SQLText
    /// The beginning of a statement that updates a table, with the table's name.
    func update(of table: String) -> SQLText
    /// A value that a statement stores in a column, so that it fails where the column would make another of it.
    func stored(_ value: SQLText, in column: String, of table: String) -> SQLText
    /// Whether an upsert may refer to the values that it could not insert.
    func canUseExcluded(in table: String) -> Bool
    /// Whether a stored text may differ from the one that was given.
    func changesTexts(of table: String) -> Bool

    /// The parameter of a key that the store gives where its value is NULL; it is the one with a number.
    func generatedKey(_ column: String, of table: String, number: Int) -> SQLText
    /// The end of a statement that stores one row and returns its key; nothing where the engine reports a key that it
    /// has given by itself.
    func returning(key column: String) -> SQLText

    /// The test that a row of a table is one in which words are.
    func condition(rowOf table: String?, matches pattern: SearchPattern) -> SQLText
    /// The test that a row of a table is the one of a full-text index beside it, and that words are in that.
    func condition(rowOf table: String, isFoundBy pattern: SearchPattern) -> SQLText
    /// The full-text index beside a table, with the test that joins the two.
    func searchIndex(of table: String, for pattern: SearchPattern) -> SQLText
    func value(_ value: SearchValue, of index: String) -> SQLText

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
    package func spells(as other: any Dialect) -> Bool { type(of: other) == Self.self }

    package var hasRowOrder: Bool { true }

    package func insertion(into table: String) -> SQLText { "INSERT INTO \(changing: table)" }

    package func update(of table: String) -> SQLText { "UPDATE \(changing: table)" }

    package func stored(_ value: SQLText, in column: String, of table: String) -> SQLText { value }

    package func canUseExcluded(in table: String) -> Bool { true }

    package func changesTexts(of table: String) -> Bool { false }

    package func possible(_ test: StoredTest) -> StoredTest { test }

    // NULL is spelled, so that an index is read from behind its NULLs on.
    package func condition(_ column: StoredColumn, isSame: Bool, as value: SQLValue) -> SQLText {
        let sign = isSame ? same : notSame
        return value == .null ? "\(column)\(literal: sign)NULL" : "\(column)\(literal: sign)\(bind: value)"
    }

    // Of rows that stand in a query of their own SQLite makes an index, and looks each up in that of the key.
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

// What opening asks and notes.
extension Dialect {
    /// Reads the names of the migrations that have run, in their order.
    package var migrations: SQLText { "SELECT name FROM signal_repository_migrations ORDER BY number" }

    package func recordMigration(_ name: String) -> SQLText {
        "INSERT INTO signal_repository_migrations (name) VALUES (\(bind: .text(name)))"
    }

    /// Counts the values of a column.
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

/// The SQL of a query, which is written when an engine asks for it, and once for each dialect.
package final class QuerySQL: Sendable {
    private let write: @Sendable (any Dialect) throws(RepositoryError) -> SQLText
    private let last = Lock<(dialect: any Dialect, sql: Result<SQLText, RepositoryError>)?>(nil)

    package init(_ write: @escaping @Sendable (any Dialect) throws(RepositoryError) -> SQLText) {
        self.write = write
    }

    package func text(in dialect: any Dialect) throws(RepositoryError) -> SQLText {
        if let last = last.withLock({ $0 }), last.dialect.spells(as: dialect) { return try last.sql.get() }
        let sql = Result { () throws(RepositoryError) in try write(dialect) }
        last.withLock { $0 = (dialect, sql) }
        return try sql.get()
    }
}
