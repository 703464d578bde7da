/// The columns of an entity, and a closure that makes an item from their values.
///
/// This one declaration determines the table, the encoding and decoding of items, and the properties that queries can
/// name by key path. The closure reads the values of a row in the order of the columns.
///
/// ```swift
/// struct Film: Entity {
///     let id: UUID
///     var title: String
///     var released: Date
///
///     static let schema = Schema<Film>(unique: [[\.title, \.released]]) {
///         Column("id", \.id)
///         Column("title", \.title)
///         Column("released", \.released)
///     } decode: { row in
///         try Film(id: row.next(), title: row.next(), released: row.next())
///     }
/// }
/// ```
/// Up to six columns can be declared with a function that takes their values:
/// `Schema(Column("id", \Film.id), Column("title", \.title), Column("released", \.released), make: Film.init)`.
public final class Schema<Root: Row>: Sendable {
    // Schemas and columns are classes, because they never change and every query passes them on several times. Passing
    // a class costs one reference count; passing a struct would cost one for each of its parts.

    /// A set of columns, given by the key paths of their properties.
    public typealias Paths = [PartialKeyPath<Root> & Sendable]

    /// The columns, in the order they are declared.
    public let columns: [AnyColumn<Root>]
    /// The names of the columns, in the order in which a row is read and written.
    package let names: [String]
    /// The names as a list for SQL statements.
    package let nameList: String
    /// The key paths of the columns, in an array of a non-generic type, which queries search faster than a generic one.
    let paths: [AnyKeyPath & Sendable]
    /// The columns of a composite key; empty if the key is the column of the id.
    let keyPaths: Paths
    /// Whether the key is composite; stored, because every query needs it and the generic `keyPaths` is slower to read.
    let isComposite: Bool
    /// The key; `nil` if the declaration does not determine its columns.
    let knownKey: EntityKey<Root>?
    let uniqueSets: [Paths]
    let indexedSets: [Paths]
    let searchPaths: Paths
    let clauses: [TableClause<Root>]
    /// The number of columns that are written; the computed columns come after them.
    package let writtenCount: Int
    let writtenNameList: String
    let managedColumns: [ManagedColumn]
    let hasManagedTimes: Bool
    /// Whether the stored item may differ from the given one, in times that the store sets or in rounded numbers.
    let isStoredAsOther: Bool
    package let generatedIndex: Int?
    /// A test of whether the store must assign an item's key; `nil` if items provide the keys.
    let needsGeneratedKey: (@Sendable (Root) -> Bool)?
    /// Comparisons that tell apart items that are equal in Swift but have different texts in the store.
    let textComparisons: [TextComparison<Root>]
    @usableFromInline let decode: @Sendable (RowSource) throws(RepositoryError) -> Root
    /// Reads a row as `decode` does, but requires that each value is read as its column's type.
    let decodeStrictly: @Sendable (RowSource) throws(RepositoryError) -> Root
    let decodeAll: @Sendable (any StoreStatement, inout [Root]) throws(RepositoryError) -> Void
    let encode: @Sendable (UnsafePointer<Root>, RowTarget) throws(RepositoryError) -> Void

    /// Declares an entity by its columns and a closure that reads their values in the same order.
    ///
    /// The closure may throw for a row that cannot be an item. The decoding error names the column that was read last.
    ///
    /// - Parameters:
    ///   - key: The columns of a composite key; the id is a ``CompositeKey`` of their values.
    ///   - unique: Sets of columns whose combined values are unique.
    ///   - indexed: Sets of columns that share an index.
    ///   - search: Text columns whose words can be searched; see `Entity.matching(_:_:)`.
    ///   - clauses: Declarations of the table besides its columns, such as checks.
    ///   - columns: The columns, one per line.
    ///   - decode: Makes an item from the values of a row.
    @inlinable @inline(__always)
    public convenience init<List: ColumnList<Root>>(
        key: Paths = [], unique: [Paths] = [], indexed: [Paths] = [], search: Paths = [],
        clauses: [TableClause<Root>] = [],
        @ColumnsBuilder<Root> columns: () -> List,
        decode: @escaping @Sendable (inout RowDecoder) throws -> Root
    ) {
        let list = columns()
        let (readers, strict) = (ColumnReaders(list.erased), ColumnReaders(list.erased, isStrict: true))
        self.init(
            list, key, unique, indexed, search, clauses,
            decode: { row, position in
                var row = RowDecoder(row, readers)
                defer { position = row.index }
                return try decode(&row)
            },
            decodeStrictly: { row, position in
                var row = RowDecoder(row, strict)
                defer { position = row.index }
                return try decode(&row)
            })
    }

    /// Declares an entity by its columns and a closure that reads their values and reports how many it has read.
    @inlinable @inline(__always)
    convenience init<List: ColumnList<Root>>(
        _ list: List, _ key: Paths, _ unique: [Paths], _ indexed: [Paths], _ search: Paths,
        _ clauses: [TableClause<Root>],
        decode: @escaping @Sendable (RowSource, inout Int32) throws -> Root,
        decodeStrictly: (@Sendable (RowSource, inout Int32) throws -> Root)? = nil
    ) {
        let columns = list.erased
        let read = Self.reading(columns, decode)
        self.init(
            columns, key, unique, indexed, search, clauses, read,
            decodeStrictly.map { Self.reading(columns, $0) } ?? read,
            { item, row throws(RepositoryError) in
                var position: Int32 = 0
                do {
                    try list.encode(item, to: row, &position)
                } catch {
                    throw Self.encodingError(columns, position, error)
                }
            },
            decodeAll: { statement, rows throws(RepositoryError) in
                let row = statement.row
                while try statement.step() { rows.append(try read(row)) }
            })
    }

    @usableFromInline
    init(
        _ columns: [AnyColumn<Root>], _ keyPaths: Paths, _ uniqueSets: [Paths], _ indexedSets: [Paths],
        _ searchPaths: Paths, _ clauses: [TableClause<Root>],
        _ decode: @escaping @Sendable (RowSource) throws(RepositoryError) -> Root,
        _ decodeStrictly: @escaping @Sendable (RowSource) throws(RepositoryError) -> Root,
        _ encode: @escaping @Sendable (UnsafePointer<Root>, RowTarget) throws(RepositoryError) -> Void,
        decodeAll: @escaping @Sendable (any StoreStatement, inout [Root]) throws(RepositoryError) -> Void
    ) {
        self.columns = columns
        names = columns.map(\.name)
        nameList = Identifier.list(names)
        paths = columns.map(\.path)
        self.keyPaths = keyPaths
        isComposite = !keyPaths.isEmpty
        knownKey = Self.keyColumns(columns, keyPaths).map { EntityKey(columns: $0) }
        managedColumns = columns.enumerated().compactMap { position, column in
            column.managedValue.map { ManagedColumn(index: position, name: column.name, value: $0) }
        }
        hasManagedTimes = managedColumns.contains { $0.value != .generated }
        writtenCount = columns.count { $0.computation == nil }
        writtenNameList = Identifier.list(columns.filter { $0.computation == nil }.map(\.name))
        isStoredAsOther = hasManagedTimes || columns.contains(where: \.isRounded)
        generatedIndex = managedColumns.first { $0.value == .generated }?.index
        needsGeneratedKey = generatedIndex.flatMap { position in columns[position].needsGeneratedKey }
        textComparisons = columns.compactMap { $0.areTextsSame }
        self.uniqueSets = uniqueSets
        self.indexedSets = indexedSets
        (self.searchPaths, self.clauses) = (searchPaths, clauses)
        (self.decode, self.decodeStrictly) = (decode, decodeStrictly)
        self.encode = encode
        self.decodeAll = decodeAll
    }

    /// Wraps a decoding closure: errors name the column, and a closure that does not read every column fails.
    @inlinable @inline(__always)
    static func reading(
        _ columns: [AnyColumn<Root>], _ decode: @escaping @Sendable (RowSource, inout Int32) throws -> Root
    ) -> @Sendable (RowSource) throws(RepositoryError) -> Root {
        let count = Int32(columns.count)
        return { row throws(RepositoryError) in
            var position: Int32 = 0
            do {
                let item = try decode(row, &position)
                if position == count { return item }
            } catch {
                throw Self.decodingError(columns, position, error)
            }
            throw Self.unread(columns, position)
        }
    }
}

extension Schema {
    /// Makes an item from an array of stored values, in the order of the columns.
    func item(of values: [SQLValue]) throws(RepositoryError) -> Root { try item(of: values, decode) }

    /// Makes an item from an array of stored values, each of which must be read as its column's type.
    func checkedItem(of values: [SQLValue]) throws(RepositoryError) -> Root { try item(of: values, decodeStrictly) }

    private func item(
        of values: [SQLValue], _ decode: (RowSource) throws(RepositoryError) -> Root
    ) throws(RepositoryError) -> Root {
        // Safe because the values stay in place while they are read, and there is one for each column.
        let outcome = values.withUnsafeBufferPointer { values in
            Result { () throws(RepositoryError) in try decode(RowSource(values: values.baseAddress)) }
        }
        do {
            return try outcome.get()
        } catch {
            throw located(error) { position in values[position] }
        }
    }

    /// Adds the id of the row's item to an error that reports an unreadable value; returns any other error unchanged.
    func located(_ error: RepositoryError, value: (_ position: Int) throws -> SQLValue) -> RepositoryError {
        guard case .decoding = error, let entity = Root.self as? any Entity.Type else { return error }
        return entity.failedItem(value).map { error.about($0) } ?? error
    }

    /// Whether the items are the rows of a view.
    package var isView: Bool { clauses.contains { if case .view = $0.kind { true } else { false } } }

    package func checkStored() throws(RepositoryError) {
        guard isView else { return }
        throw .misuse(detail: "\(Root.rowName) is a view: its items can be read, but not written")
    }

    /// Whether the store computes some columns.
    package var isComputed: Bool { writtenCount < columns.count }

    package var writtenNames: [String] { Array(names.prefix(writtenCount)) }

    /// Returns the stored values of an item in the order of the columns.
    ///
    /// For a computed column, this is the value of the item's property, not a value from the store.
    func values(of item: Root) throws(RepositoryError) -> [SQLValue] {
        var values = [SQLValue](repeating: .null, count: columns.count)
        // Safe because the slots and the item stay in place while they are used, and there is a slot for each column.
        let outcome = values.withUnsafeMutableBufferPointer { values in
            withUnsafePointer(to: item) { item in
                Result { () throws(RepositoryError) in try encode(item, RowTarget(values: values.baseAddress)) }
            }
        }
        try outcome.get()
        for index in writtenCount..<values.count { values[index] = try columns[index].encode(item) }
        return values
    }
}

extension Schema {
    /// Returns the decoding error for the last column that was read; `count` is the number of columns read so far.
    @usableFromInline @inline(never)
    static func decodingError(
        _ columns: [AnyColumn<Root>], _ count: Int32, _ error: any Error
    ) -> RepositoryError {
        let position = min(max(Int(count), 1), columns.count) - 1
        return .decoding(entity: Root.rowName, column: columns[position].name, detail: ColumnFault.sentence(error))
    }

    @usableFromInline @inline(never)
    static func unread(_ columns: [AnyColumn<Root>], _ count: Int32) -> RepositoryError {
        .misuse(
            detail:
                "the decode closure of \(Root.rowName) reads \(count) of \(columns.count.counted("column")): it leaves "
                + "out \(columns.dropFirst(Int(count)).map(\.name).joined(separator: ", "))")
    }

    /// Returns the error for the value of the parameter at index `position`, counted from 1.
    @usableFromInline @inline(never)
    static func encodingError(
        _ columns: [AnyColumn<Root>], _ position: Int32, _ error: any Error
    ) -> RepositoryError {
        .encoding(error, entity: Root.rowName, column: columns[Int(position) - 1].name)
    }
}

extension Entity {
    /// Returns the item of a row that cannot be read, identified by the values of its key.
    fileprivate static func failedItem(_ value: (_ position: Int) throws -> SQLValue) -> FailedItem? {
        guard let key = try? schema.key else { return nil }
        let indexes = key.names.compactMap { schema.names.firstIndex(of: $0) }
        let id = try? key.id(of: indexes.map(value))
        return FailedItem(entity: entityName, id: id.map { "\($0)" })
    }
}

extension Schema where Root: Entity {
    var entityName: String { Root.entityName }

    /// Returns the column of a property, or throws when the schema does not declare one.
    ///
    /// - Complexity: O(*n*) in the number of columns.
    func column(for path: AnyKeyPath) throws(RepositoryError) -> AnyColumn<Root> {
        if let position = paths.firstIndex(where: { $0 == path }) { return columns[position] }
        if path == \Root.id || isCompositeID(path) { return try idColumn }
        throw .misuse(detail: "the schema of \(Root.entityName) declares no column for the property \(path)")
    }

    func checkUnique(_ columns: [AnyColumn<Root>]) throws(RepositoryError) {
        let names = Set(columns.map(\.name))
        var sets = try uniqueSets.map { paths throws(RepositoryError) in
            Set(try paths.map { path throws(RepositoryError) in try column(for: path).name })
        }
        sets += self.columns.filter(\.isUnique).map { [$0.name] } + [Set(try key.names)]
        if sets.contains(names) { return }
        throw .misuse(
            detail: "\(Root.entityName) does not declare \(names.sorted().joined(separator: ", ")) to be unique")
    }
}
