/// A list of columns with their static types, so that writing a row compiles to straight-line code.
///
/// A column is a list with one element, and ``ColumnPair`` appends a column to a list.
public protocol ColumnList<Root>: Sendable {
    /// The entity.
    associatedtype Root: Row
    /// Appends the columns, with the types of their properties erased, to an array.
    func append(to columns: inout [AnyColumn<Root>])
    /// Writes the values of an item to the slots after `position`, and advances `position` to the last written slot.
    func encode(_ item: UnsafePointer<Root>, to row: RowTarget, _ position: inout Int32) throws
}

/// A list of columns, followed by one more column.
public struct ColumnPair<Head: ColumnList, Codec: ColumnCodec>: ColumnList {
    @usableFromInline let head: Head
    @usableFromInline let last: Column<Head.Root, Codec>

    @inlinable @inline(__always)
    init(_ head: Head, _ last: Column<Head.Root, Codec>) {
        self.head = head
        self.last = last
    }

    /// Appends the columns of the list, and then the last column.
    public func append(to columns: inout [AnyColumn<Head.Root>]) {
        head.append(to: &columns)
        last.append(to: &columns)
    }

    /// Writes the values of the list's columns, and then the value of the last column.
    @inlinable @inline(__always)
    public func encode(_ item: UnsafePointer<Head.Root>, to row: RowTarget, _ position: inout Int32) throws {
        try head.encode(item, to: row, &position)
        try last.encode(item, to: row, &position)
    }
}

extension Column: ColumnList {
    /// Appends this column.
    public func append(to columns: inout [AnyColumn<Root>]) { columns.append(AnyColumn(self)) }
}

extension ColumnList {
    @usableFromInline var erased: [AnyColumn<Root>] {
        var columns: [AnyColumn<Root>] = []
        append(to: &columns)
        return columns
    }

    @inlinable @inline(__always)
    func and<Codec>(_ column: Column<Root, Codec>) -> ColumnPair<Self, Codec> { ColumnPair(self, column) }
}

/// A result builder for a list of columns, one per line.
@resultBuilder
public enum ColumnsBuilder<Root: Row> {
    /// Accepts a column.
    @inlinable @inline(__always)
    public static func buildExpression<Codec>(_ column: Column<Root, Codec>) -> Column<Root, Codec> { column }

    /// Begins a list with its first column.
    @inlinable @inline(__always)
    public static func buildPartialBlock<Codec>(first: Column<Root, Codec>) -> Column<Root, Codec> { first }

    /// Appends the next column to a list.
    @inlinable @inline(__always)
    public static func buildPartialBlock<Head: ColumnList<Root>, Codec>(
        accumulated: Head, next: Column<Root, Codec>
    ) -> ColumnPair<Head, Codec> { accumulated.and(next) }
}
