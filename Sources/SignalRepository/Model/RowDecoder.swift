/// The values of one row, which are read one after another in the order of the columns.
///
/// An entity's `decode` gets it and makes an item. What a value is read as follows from where it is put.
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
/// It is valid only inside `decode`.
public struct RowDecoder {
    @usableFromInline let row: RowSource
    @usableFromInline let readers: ColumnReaders
    /// How many values have been read.
    @usableFromInline var index: Int32 = 0

    @inlinable @inline(__always)
    init(_ row: RowSource, _ readers: ColumnReaders) {
        self.row = row
        self.readers = readers
    }

    /// Reads the next value; throws when the column holds something else, and after the last one.
    @inlinable @inline(__always)
    public mutating func next<Value: ColumnValue>() throws -> Value {
        let scale = readers.scales[Int(index)]
        if scale < 0 { return try read() }
        let cell = ColumnCell(row, index: index, scale: Int(scale))
        index &+= 1
        return try Value.read(from: cell)
    }

    /// Reads the next value as its column does, if that is declared as JSON or with functions of its own.
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
            throw ColumnFault.value("the column holds \(type(of: value)), and \(Value.self) is read")
        }
        return value
    }
}

/// What reading rows needs of the columns of an entity, without their types.
@usableFromInline
final class ColumnReaders: Sendable {
    /// The scale of each column; -1 where the codec has to read, and after the last column.
    @usableFromInline let scales: ContiguousArray<Int8>
    private let readers: [@Sendable (RowSource, Int) throws -> any Sendable]
    /// The types of the columns, if each value has to be read as one of its column's.
    private let types: [any Any.Type]?

    /// What reading needs; where it `isStrict`, each value has to be read as one of its column's type.
    @usableFromInline
    init<Root>(_ columns: [AnyColumn<Root>], isStrict: Bool = false) {
        readers = columns.map(\.read)
        types = isStrict ? columns.map(\.valueType) : nil
        scales = ContiguousArray(
            columns.map { $0.form == .exact && !isStrict ? Int8(clamping: max(0, $0.scale ?? 0)) : -1 } + [-1])
    }

    var count: Int { readers.count }

    func read(_ index: Int, _ row: RowSource) throws -> any Sendable { try readers[index](row, index) }

    /// Throws when the column at an index is of another type than is read, or than an optional that is read holds.
    ///
    /// SQLite's class is the same for many types, so that a column of one could be read as another.
    func check(_ type: any Any.Type, at index: Int) throws {
        guard let declared = types?[index], declared != type else { return }
        if let optional = type as? any OptionalType.Type, optional.wrapped == declared { return }
        throw ColumnFault.value("it is declared as \(declared), and the decode closure reads \(type) there")
    }
}
