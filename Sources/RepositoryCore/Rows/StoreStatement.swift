/// A prepared statement of an engine, through which values are read and written.
///
/// Like its connection, it is used by one thread at a time.
@usableFromInline
package protocol StoreStatement: AnyObject {
    /// The text that the engine has prepared.
    var sql: String { get }
    var access: TableAccess { get }
    var writtenByTriggers: Set<String> { get }
    var isReadOnly: Bool { get }
    var columnNames: [String] { get }
    var columnCount: Int { get }
    /// The source of the current row's values.
    var row: RowSource { get }
    /// The target for the values of the parameters.
    var target: RowTarget { get }

    /// Returns the number of rows to come, or 0 if it is unknown. To find it, an engine may execute the statement.
    ///
    /// The caller must read the rows in succession before it uses the connection for anything else.
    func begin() throws(RepositoryError) -> Int
    /// Advances to the next row; returns `false` at the end, when the statement is ready for its next use.
    func step() throws(RepositoryError) -> Bool
    func reset()
}

extension StoreStatement {
    package func begin() throws(RepositoryError) -> Int { 0 }

    /// Executes a statement that returns no rows.
    package func run() throws(RepositoryError) {
        while try step() {}
    }

    /// Returns a value for each remaining row.
    package func all<Value>(
        _ read: (any StoreStatement) throws(RepositoryError) -> Value
    ) throws(RepositoryError) -> [Value] {
        var values: [Value] = []
        while try step() { values.append(try read(self)) }
        return values
    }

    /// Returns a value for each remaining row, read from the row's source.
    package func readAll<Value>(
        _ read: (RowSource) throws(RepositoryError) -> Value
    ) throws(RepositoryError) -> [Value] {
        let row = row
        return try all { _ throws(RepositoryError) in try read(row) }
    }

    package func forEach(_ body: (any StoreStatement) throws(RepositoryError) -> Void) throws(RepositoryError) {
        while try step() { try body(self) }
    }

    /// Returns a value for the next row and skips the remaining rows, or returns `nil` if there is no row.
    package func first<Value>(
        _ read: (any StoreStatement) throws(RepositoryError) -> Value
    ) throws(RepositoryError) -> Value? {
        defer { reset() }
        return try step() ? try read(self) : nil
    }

    package func bind(_ values: [SQLValue]) throws(RepositoryError) {
        try target.write(values)
    }

    /// Binds one value; parameters are counted from 1.
    package func bind(_ value: SQLValue, at index: Int) throws(RepositoryError) {
        try target.write(value, at: index)
    }

    package func value(at index: Int) throws(RepositoryError) -> SQLValue {
        try read(index) { cell in try SQLValue(cell) }
    }

    package func values() throws(RepositoryError) -> [SQLValue] {
        var values: [SQLValue] = []
        for index in 0..<columnCount { values.append(try value(at: index)) }
        return values
    }

    /// Reads a value of the current row; an error names the column.
    package func read<Value>(
        _ index: Int, scale: Int = 0, _ body: (ColumnCell) throws -> Value
    ) throws(RepositoryError) -> Value {
        do {
            return try body(ColumnCell(row, index: Int32(index), scale: scale))
        } catch {
            throw .decoding(entity: "result", column: columnNames[index], detail: ColumnFault.sentence(error))
        }
    }
}

extension RowTarget {
    package func write(_ values: [SQLValue]) throws(RepositoryError) {
        for (index, value) in values.enumerated() { try write(value, at: index + 1) }
    }

    /// Writes one value; parameters are counted from 1.
    package func write(_ value: SQLValue, at index: Int) throws(RepositoryError) {
        do {
            try ColumnSlot(self, index: Int32(index), places: DecimalPlaces(0)).bind(value)
        } catch {
            throw .encoding(error, entity: "statement", column: "parameter \(index)")
        }
    }
}

/// The declared names of the tables that a statement reads and writes, directly or through triggers and cascades.
@usableFromInline
package struct TableAccess: Sendable, Equatable {
    package init() {}

    package var read: Set<String> = []
    package var written: Set<String> = []
    /// The tables in attached files that the statement reads, each prefixed with the name of its file.
    package var attached: Set<String> = []
    package var writtenByTriggers: Set<String> = []
    /// Whether the statement may change the schema.
    ///
    /// Also true on SQLite for some statements that cannot change it, such as `ATTACH`.
    package var changesSchema = false
    /// The reason why raw SQL must not execute the statement, or `nil` if it may.
    package var refusal: String?
}
