/// A prepared statement of an engine, with its values bound: what is read and written goes through one.
///
/// It is used by one thread at a time, as its connection is.
@usableFromInline
package protocol StoreStatement: AnyObject {
    /// The text, as the engine has it.
    var sql: String { get }
    var access: TableAccess { get }
    var writtenByTriggers: Set<String> { get }
    var isReadOnly: Bool { get }
    var columnNames: [String] { get }
    var columnCount: Int { get }
    /// Where the values of the current row are read.
    var row: RowSource { get }
    /// Where the values of the parameters are written.
    var target: RowTarget { get }

    /// Executes the statement if it has not begun, for all rows to be read one after the other while nothing else is
    /// asked of the connection; returns how many are to come, where the engine knows.
    func begin() throws(RepositoryError) -> Int
    /// Goes on to the next row; `false` at the end, where the statement is ready for its next use.
    func step() throws(RepositoryError) -> Bool
    func reset()
}

extension StoreStatement {
    package func begin() throws(RepositoryError) -> Int { 0 }

    /// Executes a statement that returns no rows.
    package func run() throws(RepositoryError) {
        while try step() {}
    }

    /// Makes a value of each remaining row.
    package func all<Value>(
        _ read: (any StoreStatement) throws(RepositoryError) -> Value
    ) throws(RepositoryError) -> [Value] {
        var values: [Value] = []
        while try step() { values.append(try read(self)) }
        return values
    }

    /// Makes a value of the values of each remaining row.
    package func readAll<Value>(
        _ read: (RowSource) throws(RepositoryError) -> Value
    ) throws(RepositoryError) -> [Value] {
        let row = row
        return try all { _ throws(RepositoryError) in try read(row) }
    }

    package func forEach(_ body: (any StoreStatement) throws(RepositoryError) -> Void) throws(RepositoryError) {
        while try step() { try body(self) }
    }

    /// Makes a value of the next row, and skips the others; `nil` when there is none.
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

    /// Reads a value of the current row; a fault is reported with its column.
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

    /// Writes one value; they are counted from 1.
    package func write(_ value: SQLValue, at index: Int) throws(RepositoryError) {
        do {
            try ColumnSlot(self, index: Int32(index), places: DecimalPlaces(0)).bind(value)
        } catch {
            throw .encoding(error, entity: "statement", column: "parameter \(index)")
        }
    }
}

/// The tables that a prepared statement reads and writes, including through triggers and cascades; names as declared.
@usableFromInline
package struct TableAccess: Sendable, Equatable {
    package init() {}

    package var read: Set<String> = []
    package var written: Set<String> = []
    /// The tables of attached files that are read, each with the name of its file before it.
    package var attached: Set<String> = []
    package var writtenByTriggers: Set<String> = []
    /// Whether the statement changes the schema, or settings.
    package var changesSchema = false
    /// Why raw SQL must not do what the statement does; nil when it may.
    package var refusal: String?
}
