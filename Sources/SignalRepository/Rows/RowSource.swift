/// Where the values of one row come from: the current row of a statement, or values in memory.
///
/// Valid while the row is current, or for as long as the owner of the values keeps them in place.
@usableFromInline
struct RowSource {
    @usableFromInline let statement: OpaquePointer?
    @usableFromInline let values: UnsafePointer<SQLValue>?
    /// The index of the first value: a row of a join is the rows of several tables.
    @usableFromInline let first: Int32

    @inlinable @inline(__always)
    init(statement: OpaquePointer, first: Int32 = 0) {
        self.statement = statement
        values = nil
        self.first = first
    }

    /// Takes values in the order of the columns, as many as there are columns.
    init(values: UnsafePointer<SQLValue>?) {
        self.init(nil, values, first: 0)
    }

    private init(_ statement: OpaquePointer?, _ values: UnsafePointer<SQLValue>?, first: Int32) {
        (self.statement, self.values, self.first) = (statement, values, first)
    }

    /// The part of the row that begins some values later.
    func advanced(by count: Int) -> RowSource { RowSource(statement, values, first: first + Int32(count)) }
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
