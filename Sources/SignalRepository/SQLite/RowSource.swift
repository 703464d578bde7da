/// Where the values of one row come from: the current row of a statement, or values in memory.
///
/// Valid while the row is current, or for as long as the owner of the values keeps them in place.
@usableFromInline
struct RowSource {
    @usableFromInline let statement: OpaquePointer?
    @usableFromInline let values: UnsafePointer<SQLValue>?

    @inlinable @inline(__always)
    init(statement: OpaquePointer) {
        self.statement = statement
        values = nil
    }

    /// Takes values in the order of the columns, as many as there are columns.
    init(values: UnsafePointer<SQLValue>?) {
        statement = nil
        self.values = values
    }
}

/// Where the values of one row are written: the parameters of a statement, or values in memory.
public struct RowTarget {
    @usableFromInline let statement: OpaquePointer?
    @usableFromInline let values: UnsafeMutablePointer<SQLValue>?

    @inlinable @inline(__always)
    init(statement: OpaquePointer) {
        self.statement = statement
        values = nil
    }

    /// Takes storage for the values in the order of the columns.
    init(values: UnsafeMutablePointer<SQLValue>?) {
        statement = nil
        self.values = values
    }
}
