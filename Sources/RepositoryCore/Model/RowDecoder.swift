/// The values of one row, read one after another in the order of the columns.
///
/// An entity's `decode` closure receives a decoder and makes an item. The type of each value is inferred from its use.
///
/// ```swift
/// struct Film: Entity {
///     let id: UUID
///     var title: String
///
///     static let schema = Schema<Film> {
///         Column("id", \.id)
///         Column("title", \.title)
///     } decode: { row in
///         try Film(id: row.next(), title: row.next())
///     }
/// }
/// ```
/// A decoder is valid only inside `decode`.
public struct RowDecoder {
    @usableFromInline let row: RowSource
    @usableFromInline let readers: ColumnReaders
    /// The number of values read so far.
    @usableFromInline var index: Int32 = 0

    @inlinable @inline(__always)
    init(_ row: RowSource, _ readers: ColumnReaders) {
        self.row = row
        self.readers = readers
    }

    /// Reads the next value; throws if the column holds another type, or if all values have been read.
    @inlinable @inline(__always)
    public mutating func next<Value: ColumnValue>() throws -> Value {
        let scale = readers.scales[Int(index)]
        if scale < 0 { return try read() }
        let cell = ColumnCell(row, index: index, scale: Int(scale))
        index &+= 1
        return try Value.read(from: cell)
    }

    /// Reads the next value of a column that is declared as JSON or with custom functions.
    @inlinable @_disfavoredOverload
    public mutating func next<Value>() throws -> Value { try read() }

    @usableFromInline @inline(never)
    mutating func read<Value>() throws -> Value {
        let column = Int(index)
        guard column < readers.count else {
            throw ColumnFault.value(
                "the decode closure reads more than \(readers.count.counted("value")), one for each column")
        }
        index += 1
        try readers.check(Value.self, at: column)
        let value = try readers.read(column, row)
        guard let value = value as? Value else {
            throw ColumnFault.value("the column holds \(type(of: value)), but the decode closure reads \(Value.self)")
        }
        return value
    }
}

/// The type-erased readers of an entity's columns.
@usableFromInline
final class ColumnReaders: Sendable {
    /// The scale of each column, or -1 if the column's codec must read the value; ends with an additional -1.
    ///
    /// The additional -1 makes a read after the last column call `RowDecoder.read()`, which throws.
    @usableFromInline let scales: ContiguousArray<Int32>
    private let readers: [@Sendable (RowSource, Int) throws -> any Sendable]
    /// The types of the columns if each value must be read as its column's type, otherwise `nil`.
    private let types: [any Any.Type]?

    /// Creates the readers of columns; if `isStrict`, each value must be read as its column's type.
    @usableFromInline
    init<Root>(_ columns: [AnyColumn<Root>], isStrict: Bool = false) {
        readers = columns.map(\.read)
        types = isStrict ? columns.map(\.valueType) : nil
        scales = ContiguousArray(
            columns.map { $0.encoding == .exact && !isStrict ? Int32(clamping: max(0, $0.scale ?? 0)) : -1 } + [-1])
    }

    var count: Int { readers.count }

    func read(_ index: Int, _ row: RowSource) throws -> any Sendable { try readers[index](row, index) }

    /// Throws if the type that is read is neither the type of the column at an index nor an optional of it.
    ///
    /// Many types share a storage class, so a value could otherwise be read as another type.
    func check(_ type: any Any.Type, at index: Int) throws {
        guard let declared = types?[index], declared != type else { return }
        if let optional = type as? any OptionalType.Type, optional.wrapped == declared { return }
        throw ColumnFault.value("it is declared as \(declared), and the decode closure reads \(type) there")
    }
}
