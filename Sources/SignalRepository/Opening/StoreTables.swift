import Foundation

/// How an engine names the types of columns, and spells a default.
package protocol ColumnTypes: Sendable {
    /// The name of the type of columns whose values have a class; ids may have a type of their own.
    func name(of storageClass: StorageClass, holdsIDs: Bool) -> String
    /// A value, without NUL, as it is declared for a column of a type.
    func literal(_ value: SQLValue, of type: String) -> String
    /// A value, without NUL, as it stands in an expression of a declaration.
    func constant(_ value: SQLValue) -> String
    /// How expressions of a declaration are spelled: without what another program that writes would not have.
    var dialect: any Dialect { get }
    /// Throws when the engine cannot have a table that is declared.
    func check(_ table: TableShape) throws(RepositoryError)
}

/// The tables of a store, as a connection of an engine reads and changes them: what opening and migrations are made of.
///
/// What changes them is called in a transaction, and by the connection's own thread.
package protocol StoreTables: AnyObject {
    var connection: any StoreConnection { get }
    var types: any ColumnTypes { get }
    /// Tells the time that columns get which the store keeps.
    var now: @Sendable () -> Date { get }

    /// Reads what the store holds: the shapes of some tables, and of its own.
    func stored(_ tables: [String]) throws(RepositoryError) -> any StoredShape
    /// Makes a new store one of this library's.
    func found() throws(RepositoryError)
    /// Creates the table of the migrations that have run, if it is not there.
    func createMigrations() throws(RepositoryError)
    /// Whether references are not enforced now, so that a table can be replaced.
    var isInStep: Bool { get }
    /// Notifies that a statement of the program has run in a step.
    func statementRan() throws(RepositoryError)
    /// Notifies that the last step has run; what is inferred from the tables follows.
    func stepsEnded() throws(RepositoryError)
    /// Notifies that the tables are as they are declared.
    func tablesMade() throws(RepositoryError)
    func perform(_ change: SchemaChange) throws(RepositoryError)
    /// Gives a column another declaration, and each of its rows the value that is made of the old one.
    func replace(
        _ old: ColumnShape, by new: ColumnShape, in table: TableShape, _ convert: (SQLValue) throws -> SQLValue
    ) throws
    /// Makes a table again as it is declared, with its rows, and returns their number.
    func recreate(_ old: TableShape, as new: TableShape, _ columns: [CopiedColumn]) throws(RepositoryError) -> Int
    /// Copies the rows of a table into another, and returns their number.
    func copy(_ old: TableShape, to new: TableShape, _ columns: [CopiedColumn]) throws(RepositoryError) -> Int
}

/// A column, and the one whose values are copied into it.
package typealias CopiedColumn = (name: String, source: String)

package enum SchemaChange: Sendable, Equatable {
    case createTable(TableShape)
    case renameTable(String, to: String)
    case dropTable(String)
    /// Each row gets the value, if there is one.
    case addColumn(ColumnShape, to: String, value: SQLValue?)
    case renameColumn(String, to: String, of: String)
    case dropColumn(String, of: String)
    /// The column becomes optional.
    case relaxColumn(String, of: String)
    /// It is noted what the values of columns mean.
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

/// What a store holds, read without writing.
package protocol StoredShape {
    /// What it is called in messages.
    var noun: String { get }
    /// What is said of one that is new, and that should be read.
    var emptiness: String { get }
    /// Whether nothing was ever stored by this library.
    var isNew: Bool { get }
    /// Throws when the store is something else's, or of another version.
    func check() throws(RepositoryError)
    func table(named name: String) -> StoredTable?
    func search(of table: TableShape) -> SearchDifference
}

/// How the full-text index of a store differs from the declared one.
package enum SearchDifference {
    case none
    case missing
    /// It is another one, or nobody has declared it.
    case other
}

/// A table or view of a store.
package struct StoredTable {
    package let name: String
    /// Why it cannot be an entity's, such as "a view"; `nil` when it can.
    package let fault: String?
    package let shape: TableShape?
    /// Whether it is a view, whose shape has its query alone.
    package var isView: Bool { shape?.view != nil }
    /// The columns of which it is not known what their values mean, and for which that can be noted.
    package let undescribed: Set<String>

    package init(name: String, fault: String?, shape: TableShape?, undescribed: Set<String> = []) {
        (self.name, self.fault, self.shape, self.undescribed) = (name, fault, shape, undescribed)
    }
}
