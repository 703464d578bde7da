/// The source of one row's values: the current row of an SQLite statement, or values in memory.
///
/// It is valid while the row is current, or while the owner of the values keeps them in place.
@usableFromInline
package struct RowSource {
    @usableFromInline package let statement: OpaquePointer?
    @usableFromInline package let values: MemoryAddress?
    /// The index of the row's first value in the source.
    ///
    /// The result row of a join contains the rows of several tables.
    @usableFromInline package let first: Int32

    @inlinable @inline(__always)
    package init(statement: OpaquePointer, first: Int32 = 0) {
        self.statement = statement
        values = nil
        self.first = first
    }

    /// Creates a source of values in the order of the columns, one value for each column.
    package init(values: UnsafePointer<SQLValue>?) {
        self.init(nil, values.map { MemoryAddress($0) }, first: 0)
    }

    /// Creates a source of a server's values, in the order of the columns.
    package init(values: UnsafePointer<WireValue>) {
        self.init(nil, MemoryAddress(values), first: 0)
    }

    private init(_ statement: OpaquePointer?, _ values: MemoryAddress?, first: Int32) {
        (self.statement, self.values, self.first) = (statement, values, first)
    }

    package func advanced(by count: Int) -> RowSource { RowSource(statement, values, first: first + Int32(count)) }
}

/// The destination of one row's values: the parameters of a statement, or values in memory.
public struct RowTarget {
    @usableFromInline package let statement: OpaquePointer?
    @usableFromInline package let values: UnsafeMutablePointer<SQLValue>?

    @inlinable @inline(__always)
    package init(statement: OpaquePointer) {
        self.statement = statement
        values = nil
    }

    /// Creates a target that stores values in the order of the columns.
    package init(values: UnsafeMutablePointer<SQLValue>?) {
        statement = nil
        self.values = values
    }
}
