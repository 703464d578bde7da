/// Where the values of one row come from: the current row of a statement of SQLite, or values in memory.
///
/// Valid while the row is current, or for as long as the owner of the values keeps them in place.
@usableFromInline
package struct RowSource {
    @usableFromInline package let statement: OpaquePointer?
    @usableFromInline package let values: MemoryAddress?
    /// The index of the first value: a row of a join is the rows of several tables.
    @usableFromInline package let first: Int32

    @inlinable @inline(__always)
    package init(statement: OpaquePointer, first: Int32 = 0) {
        self.statement = statement
        values = nil
        self.first = first
    }

    /// Takes values in the order of the columns, as many as there are columns.
    package init(values: UnsafePointer<SQLValue>?) {
        self.init(nil, values.map { MemoryAddress($0) }, first: 0)
    }

    /// Takes what a server has sent, in the order of the columns.
    package init(values: UnsafePointer<WireValue>) {
        self.init(nil, MemoryAddress(values), first: 0)
    }

    private init(_ statement: OpaquePointer?, _ values: MemoryAddress?, first: Int32) {
        (self.statement, self.values, self.first) = (statement, values, first)
    }

    package func advanced(by count: Int) -> RowSource { RowSource(statement, values, first: first + Int32(count)) }
}

/// Where the values of one row are written: the parameters of a statement, or values in memory.
public struct RowTarget {
    @usableFromInline package let statement: OpaquePointer?
    @usableFromInline package let values: UnsafeMutablePointer<SQLValue>?

    @inlinable @inline(__always)
    package init(statement: OpaquePointer) {
        self.statement = statement
        values = nil
    }

    /// Takes storage for the values in the order of the columns.
    package init(values: UnsafeMutablePointer<SQLValue>?) {
        statement = nil
        self.values = values
    }
}
