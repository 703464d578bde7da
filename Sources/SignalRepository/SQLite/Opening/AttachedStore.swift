/// A file that each connection which reads has attached.
final class AttachedStore {
    let file: AttachedFile
    /// What opening it for reading has found; it has no connection of its own.
    private let store: OpenedStore

    var name: String { file.name }
    /// The SQL of its connections, which knows its tables.
    var dialect: SQLiteDialect? { store.dialect as? SQLiteDialect }

    /// Checks that a file is what its entities declare; nothing is attached yet.
    private init(_ file: AttachedFile, _ options: ConnectionOptions) throws(RepositoryError) {
        self.file = file
        guard file.access != .readWrite else {
            throw .misuse(detail: "\(file.name) is attached for reading: say .readOnly or .immutable")
        }
        var options = options
        options.key = nil
        do {
            store = try OpenedStore(reading: file.path, file.access, file.entities, migrations: nil, options: options)
        } catch {
            guard case .schemaMismatch(let detail) = error else { throw error }
            throw .schemaMismatch(detail: "\(file.path) cannot be attached: \(detail)")
        }
    }

    deinit { release() }

    /// Removes what reading has left beside the file, once nobody reads it.
    func release() { store.readersClosed() }

    /// Checks the files that are to be attached to a store, which has entities of its own.
    static func all(
        _ options: ConnectionOptions, to location: String, _ entities: [any Entity.Type]
    ) throws(RepositoryError) -> [AttachedStore] {
        guard !options.attached.isEmpty else { return [] }
        guard location != ":memory:" else {
            throw .misuse(detail: "a store in memory has one connection, which writes: no file can be attached to it")
        }
        var names: Set = [Identifier.key("main"), Identifier.key("temp")]
        var tables = Set(entities.map { Identifier.key($0.entityName) })
        for file in options.attached {
            try Identifier.check(file.name, of: "an attached file")
            guard names.insert(Identifier.key(file.name)).inserted else {
                throw .misuse(detail: "\(file.name) is the name of two files: give an attached file another")
            }
            for entity in file.entities where !tables.insert(Identifier.key(entity.entityName)).inserted {
                throw .misuse(detail: "\(entity.entityName) is an entity of two files")
            }
            if let mark = FileMark(location), mark == FileMark(file.path) {
                throw .misuse(detail: "\(file.path) is the file of the store itself")
            }
        }
        return try options.attached.map { file throws(RepositoryError) in try AttachedStore(file, options) }
    }

    /// Attaches the file to a connection that reads.
    func attach(to connection: Connection) throws(RepositoryError) {
        try store.checkPlace()
        try connection.attachFile(
            file.access == .immutable ? Connection.immutable(store.path) : store.path, as: file.name)
        // A table of the store, or of a file before this one, would be read in its place.
        for entity in file.entities {
            let tables = try connection.rows(
                "SELECT schema FROM pragma_table_list WHERE name = ? COLLATE NOCASE AND schema <> ? COLLATE NOCASE",
                [.text(entity.entityName), .text(file.name)])
            guard tables.isEmpty else {
                throw .schemaMismatch(
                    detail: "\(entity.entityName) of \(file.path) cannot be read: another file has a table of that name"
                )
            }
        }
    }
}

extension Connection {
    /// Attaches a file, which can only be read; nobody else can.
    fileprivate func attachFile(_ path: String, as name: String) throws(RepositoryError) {
        try withAttaching { () throws(RepositoryError) in
            // With a cipher the key of the store would be that of the file.
            let key = options.key?.current == nil ? "" : " KEY ''"
            try execute("ATTACH ? AS \(Identifier.quoted(name))\(key)", [.text(path)])
        }
        try require(pragma: "\(Identifier.quoted(name)).mmap_size", 0)
    }
}
