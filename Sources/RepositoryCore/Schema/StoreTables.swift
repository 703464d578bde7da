import Foundation

/// An engine's names of column types, and its syntax of declarations.
package protocol ColumnTypes: Sendable {
    /// Returns the name of the column type for a storage class; UUIDs may have their own type.
    func name(of storageClass: StorageClass, holdsIDs: Bool) -> String
    /// Returns the SQL for a value without NUL, as the default of a column of a type.
    func literal(_ value: SQLValue, of type: String) -> String
    /// Returns the SQL for a value without NUL, in an expression of a declaration.
    func constant(_ value: SQLValue) -> String
    /// The dialect of expressions in declarations, which uses only functions that other programs have as well.
    var dialect: any Dialect { get }
    /// Throws if the engine does not support a declared table.
    func check(_ table: TableShape) throws(RepositoryError)
}

/// The table operations needed to open and migrate a store; each engine implements them on a connection.
///
/// Methods that change tables are called in a transaction, on the thread that opens the store.
package protocol StoreTables: AnyObject {
    var connection: any StoreConnection { get }
    var types: any ColumnTypes { get }
    /// The clock for `.created` and `.updated` columns.
    var now: @Sendable () -> Date { get }

    /// Reads the shapes of some tables, and of the internal tables.
    func stored(_ tables: [String]) throws(RepositoryError) -> any StoredShape
    /// Marks a new store as a store of this library.
    func found() throws(RepositoryError)
    /// Creates the table that records the migrations, if it is missing.
    func createMigrations() throws(RepositoryError)
    /// Whether a migration is running. Foreign keys are then not enforced, so that a table can be replaced.
    var isInStep: Bool { get }
    /// Notifies that a migration has executed a raw SQL statement.
    func statementRan() throws(RepositoryError)
    /// Notifies that the last migration has run. The inferred changes follow.
    func stepsEnded() throws(RepositoryError)
    /// Notifies that all tables match their declarations.
    func tablesMade() throws(RepositoryError)
    func perform(_ change: SchemaChange) throws(RepositoryError)
    /// Changes the declaration of a column, and converts the value of each row.
    func replace(
        _ old: ColumnShape, by new: ColumnShape, in table: TableShape, _ convert: (SQLValue) throws -> SQLValue
    ) throws
    /// Recreates a table as declared, with its rows, and returns the number of rows.
    func recreate(_ old: TableShape, as new: TableShape, _ columns: [CopiedColumn]) throws(RepositoryError) -> Int
    /// Copies the rows of a table into another table, and returns the number of rows.
    func copy(_ old: TableShape, to new: TableShape, _ columns: [CopiedColumn]) throws(RepositoryError) -> Int
}

/// A column, and the column whose values are copied into it.
package typealias CopiedColumn = (name: String, source: String)

package enum SchemaChange: Sendable, Equatable {
    case createTable(TableShape)
    case renameTable(String, to: String)
    case dropTable(String)
    /// Adds a column. If there is a value, each existing row gets it.
    case addColumn(ColumnShape, to: String, value: SQLValue?)
    case renameColumn(String, to: String, of: String)
    case dropColumn(String, of: String)
    /// Drops NOT NULL from the column.
    case dropNotNull(String, of: String)
    /// Records the meaning of the columns' values, such as the scale of decimals.
    case describe([ColumnShape], of: String)
    case createIndex(IndexShape, of: TableShape)
    case renameIndex(IndexShape, to: String, of: TableShape)
    case dropIndex(IndexShape)
    case addCheck(CheckShape, to: TableShape)
    case dropCheck(CheckShape, of: TableShape)
    case createView(TableShape)
    case dropView(String)
    case createSearch(TableShape)
    case dropSearch(String)
}

/// The tables of a store, read without changing the store.
package protocol StoredShape {
    /// The word for the store in messages, such as "file".
    var noun: String { get }
    /// The message for a store that is opened for reading and is still empty.
    var emptiness: String { get }
    /// Whether this library has never written to the store.
    var isNew: Bool { get }
    /// Throws if the store belongs to another application, or has a different format version.
    func check() throws(RepositoryError)
    func table(named name: String) -> StoredTable?
    func search(of table: TableShape) -> SearchDifference
}

/// The difference between the stored and the declared full-text index of a table.
package enum SearchDifference {
    case none
    case missing
    /// The store has an index, but it differs from the declared one, or none is declared.
    case other
}

/// A table or view of a store.
package struct StoredTable {
    package let name: String
    /// The reason why no entity can use the table, such as "a view"; `nil` if an entity can.
    package let fault: String?
    package let shape: TableShape?
    /// Whether the table is a view, whose shape contains only its query.
    package var isView: Bool { shape?.view != nil }
    /// The columns whose meaning the store does not record, but could record.
    package let undescribed: Set<String>

    package init(name: String, fault: String?, shape: TableShape?, undescribed: Set<String> = []) {
        (self.name, self.fault, self.shape, self.undescribed) = (name, fault, shape, undescribed)
    }
}
