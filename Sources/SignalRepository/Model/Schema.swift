/// The columns of an entity, and how an item is made of their values.
///
/// One declaration gives the table, the encoding, the decoding, and the conditions and orderings by key path. For up to
/// 16 columns the initializers are written out, because the optimizer then makes straight code of a row.
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
    /// A set of columns, by their properties.
    public typealias Paths = [PartialKeyPath<Root> & Sendable]

    /// The columns, in the order in which they are declared.
    public let columns: [AnyColumn<Root>]
    /// The sets of columns that no two items have the same values of.
    let uniqueSets: [Paths]
    /// The sets of columns that have an index together.
    let indexedSets: [Paths]
    @usableFromInline let decode: @Sendable (OpaquePointer) throws(RepositoryError) -> Root
    let decodeAll: @Sendable (Statement, inout [Root]) throws(RepositoryError) -> Void
    let encode: @Sendable (UnsafePointer<Root>, OpaquePointer) throws(RepositoryError) -> Void

    @inlinable @inline(__always)
    init(
        columns: [AnyColumn<Root>], uniqueSets: [Paths], indexedSets: [Paths],
        decode: @escaping @Sendable (OpaquePointer) throws(RepositoryError) -> Root,
        encode: @escaping @Sendable (UnsafePointer<Root>, OpaquePointer) throws(RepositoryError) -> Void
    ) {
        self.init(
            columns, uniqueSets, indexedSets, decode, encode,
            decodeAll: { statement, rows throws(RepositoryError) in
                let pointer = statement.pointer
                while try statement.step() { rows.append(try decode(pointer)) }
            })
    }

    @usableFromInline
    init(
        _ columns: [AnyColumn<Root>], _ uniqueSets: [Paths], _ indexedSets: [Paths],
        _ decode: @escaping @Sendable (OpaquePointer) throws(RepositoryError) -> Root,
        _ encode: @escaping @Sendable (UnsafePointer<Root>, OpaquePointer) throws(RepositoryError) -> Void,
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
    /// The error for the column at `place` of a row.
    @usableFromInline @inline(never)
    static func decodingError(
        _ columns: [AnyColumn<Root>], _ place: Int32, _ error: any Error
    ) -> RepositoryError {
        .decoding(entity: Root.entityName, column: columns[Int(place)].name, detail: ColumnFault.sentence(error))
    }

    /// The error for the value of the parameter at `place`, counted from 1.
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

    /// The column that holds the key: the one declared as such, else the one whose path is `\.id`, else the one named
    /// "id".
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
