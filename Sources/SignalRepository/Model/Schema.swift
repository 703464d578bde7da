/// The columns of an entity, and how an item is made from their values.
///
/// One declaration gives the table, the encoding, the decoding, and the conditions and orderings by key path. For up to
/// 16 columns the initializers are written out, because the optimizer then produces straight-line code for a row.
///
/// ```swift
/// struct Film: Entity {
///     let id: UUID
///     var title: String
///     var released: Date
///
///     static let schema = Schema(
///         Column("id", \Film.id), Column("title", \.title), Column("released", \.released),
///         unique: [[\Film.title, \Film.released]], make: Film.init)
/// }
/// ```
public struct Schema<Root: Entity>: Sendable {
    /// A set of columns, given by their properties.
    public typealias Paths = [PartialKeyPath<Root> & Sendable]

    /// The columns, in the order they are declared.
    public let columns: [AnyColumn<Root>]
    /// The sets of columns whose combined values are unique.
    let uniqueSets: [Paths]
    /// The sets of columns that share an index.
    let indexedSets: [Paths]
    @usableFromInline let decode: @Sendable (RowSource) throws(RepositoryError) -> Root
    let decodeAll: @Sendable (Statement, inout [Root]) throws(RepositoryError) -> Void
    let encode: @Sendable (UnsafePointer<Root>, RowTarget) throws(RepositoryError) -> Void

    @inlinable @inline(__always)
    init(
        columns: [AnyColumn<Root>], uniqueSets: [Paths], indexedSets: [Paths],
        decode: @escaping @Sendable (RowSource) throws(RepositoryError) -> Root,
        encode: @escaping @Sendable (UnsafePointer<Root>, RowTarget) throws(RepositoryError) -> Void
    ) {
        self.init(
            columns, uniqueSets, indexedSets, decode, encode,
            decodeAll: { statement, rows throws(RepositoryError) in
                let row = RowSource(statement: statement.pointer)
                while try statement.step() { rows.append(try decode(row)) }
            })
    }

    @usableFromInline
    init(
        _ columns: [AnyColumn<Root>], _ uniqueSets: [Paths], _ indexedSets: [Paths],
        _ decode: @escaping @Sendable (RowSource) throws(RepositoryError) -> Root,
        _ encode: @escaping @Sendable (UnsafePointer<Root>, RowTarget) throws(RepositoryError) -> Void,
        decodeAll: @escaping @Sendable (Statement, inout [Root]) throws(RepositoryError) -> Void
    ) {
        self.columns = columns
        self.uniqueSets = uniqueSets
        self.indexedSets = indexedSets
        self.decode = decode
        self.encode = encode
        self.decodeAll = decodeAll
    }
}

extension Schema {
    /// Makes an item from values in memory, in the order of the columns.
    func item(of values: [SQLValue]) throws(RepositoryError) -> Root {
        // Safe because the values stay in place while they are read, and there is one for each column.
        let outcome = values.withUnsafeBufferPointer { values in
            Result { () throws(RepositoryError) in try decode(RowSource(values: values.baseAddress)) }
        }
        do {
            return try outcome.get()
        } catch {
            throw located(error) { place, scale in try? values[place].value(Root.ID.self, scale: scale) }
        }
    }

    /// The error as one about the item of a row, when it reports values that cannot be read.
    func located(_ error: RepositoryError, id: (_ place: Int, _ scale: Int) -> Root.ID?) -> RepositoryError {
        guard case .decoding = error, let key = try? key,
            let place = columns.firstIndex(where: { $0.name == key.name })
        else { return error }
        return error.about(
            FailedItem(entity: Root.entityName, id: id(place, key.scale ?? 0).map { "\($0)" }))
    }

    /// Returns the values of an item as they are stored, in the order of the columns.
    func values(of item: Root) throws(RepositoryError) -> [SQLValue] {
        var values = [SQLValue](repeating: .null, count: columns.count)
        // Safe because the slots and the item stay where they are meanwhile, and there is a slot for each column.
        let outcome = values.withUnsafeMutableBufferPointer { values in
            withUnsafePointer(to: item) { item in
                Result { () throws(RepositoryError) in try encode(item, RowTarget(values: values.baseAddress)) }
            }
        }
        try outcome.get()
        return values
    }
}

extension Schema {
    /// The error for the column at index `place` of a row.
    @usableFromInline @inline(never)
    static func decodingError(
        _ columns: [AnyColumn<Root>], _ place: Int32, _ error: any Error
    ) -> RepositoryError {
        .decoding(entity: Root.entityName, column: columns[Int(place)].name, detail: ColumnFault.sentence(error))
    }

    /// The error for the value of the parameter at index `place`, counted from 1.
    @usableFromInline @inline(never)
    static func encodingError(
        _ columns: [AnyColumn<Root>], _ place: Int32, _ error: any Error
    ) -> RepositoryError {
        .encoding(error, entity: Root.entityName, column: columns[Int(place) - 1].name)
    }
}

extension Schema {
    /// The name of the table.
    var entityName: String { Root.entityName }

    /// The column that holds the key: the one declared as such, otherwise the one whose path is `\.id`, otherwise the
    /// one named "id".
    var key: AnyColumn<Root> {
        get throws(RepositoryError) {
            let candidates = columns.filter { $0.valueType == Root.ID.self }
            if let key = candidates.first(where: \.isKey) ?? candidates.first(where: { $0.name == "id" }) { return key }
            throw .misuse(detail: "the schema of \(Root.entityName) declares no column for its id")
        }
    }

    /// Returns the column of a property, or throws when the schema does not declare one.
    ///
    /// - Complexity: O(*n*) in the number of columns.
    func column(for path: AnyKeyPath) throws(RepositoryError) -> AnyColumn<Root> {
        if let column = columns.first(where: { $0.path == path }) { return column }
        if path == \Root.id { return try key }
        throw .misuse(detail: "the schema of \(Root.entityName) declares no column for the property \(path)")
    }
}
