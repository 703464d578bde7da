import Foundation
import Signals

/// A file that every reader attaches.
///
/// If another file replaces it at its path, for example a new catalogue, each reader attaches the new file before its
/// next read.
final class AttachedStore: Sendable {
    private let file: AttachedFile
    var name: String { file.name }
    /// The absolute path.
    ///
    /// Symbolic links in it are resolved at every use.
    let path: String
    /// The SQL dialect for connections to the file; it knows the file's tables.
    let dialect: SQLiteDialect
    private let options: ConnectionOptions
    /// The store, opened for reading but without a connection, and the identity of its file.
    private let found: Lock<(store: OpenedStore, mark: FileID)>
    var isAdopted: Bool { found.withLock { !$0.store.isManaged } }

    /// Checks that the file's tables match its entities; does not attach the file yet.
    private init(_ file: AttachedFile, _ options: ConnectionOptions) throws(RepositoryError) {
        self.file = file
        guard file.access != .readWrite else {
            throw .misuse(detail: "\(file.name) can only be attached for reading: use .readOnly or .immutable")
        }
        var options = options
        options.key = nil
        self.options = options
        let folder = FileManager.default.currentDirectoryPath
        path = file.path.hasPrefix("/") ? file.path : "\(folder)/\(file.path)"
        let mark = FileID(path)
        let store = try Self.open(file, options)
        dialect = store.sqliteDialect
        guard let mark else { throw .fileMoved(path: path) }
        found = Lock((store, mark))
    }

    deinit { release() }

    private static func open(
        _ file: AttachedFile, _ options: ConnectionOptions
    ) throws(RepositoryError) -> OpenedStore {
        do {
            return try OpenedStore(reading: file.path, file.access, file.entities, migrations: nil, options: options)
        } catch {
            guard case .schemaMismatch(let detail) = error else { throw error }
            throw .schemaMismatch(detail: "\(file.path) cannot be attached: \(detail)")
        }
    }

    /// Removes the empty log that reading the file has created, once no reader uses the file.
    func release() { found.withLock { $0.store.readersClosed() } }

    /// Returns the resolved path and the identity of the file now at `path`; checks the file if it is a new one.
    private func current() throws(RepositoryError) -> (path: String, mark: FileID) {
        guard let now = FileID(path) else { throw .fileMoved(path: path) }
        if let known = found.withLock({ $0.mark == now ? $0.store.path : nil }) { return (known, now) }
        // SQLite would use a log that remains from the previous file as the log of the new file.
        if file.access != .immutable { Connection.removeEmptyLog(of: path, nil) }
        let store = try Self.open(file, options)
        let other = store.sqliteDialect
        guard other.views == dialect.views, other.tables == dialect.tables else {
            throw .schemaMismatch(
                detail: "\(file.path) was replaced by a file with different tables: open the repository again")
        }
        found.withLock { $0 = (store, now) }
        return (store.path, now)
    }

    /// Checks the files to attach to a store with these entities.
    static func all(
        _ options: ConnectionOptions, to location: String, _ entities: [any Entity.Type]
    ) throws(RepositoryError) -> [AttachedStore] {
        guard !options.attached.isEmpty else { return [] }
        guard location != ":memory:" else {
            throw .misuse(detail: "no file can be attached to a store in memory, whose only connection writes")
        }
        var names: Set = [Identifier.key("main"), Identifier.key("temp")]
        var tables = Set(entities.map { Identifier.key($0.entityName) })
        for file in options.attached {
            try Identifier.check(file.name, of: "an attached file")
            guard names.insert(Identifier.key(file.name)).inserted else {
                throw .misuse(detail: "\(file.name) is the name of two files: give the attached file another name")
            }
            for entity in file.entities where !tables.insert(Identifier.key(entity.entityName)).inserted {
                throw .misuse(detail: "\(entity.entityName) is an entity of two files")
            }
            if let mark = FileID(location), mark == FileID(file.path) {
                throw .misuse(detail: "\(file.path) is the file of the store itself")
            }
        }
        return try options.attached.map { file throws(RepositoryError) in try AttachedStore(file, options) }
    }

    /// Attaches the file to a reader, and makes the reader attach each file that replaces it at its path.
    func keepAttached(to connection: Connection) throws(RepositoryError) {
        try connection.add(
            Attachment(name: name, path: path) { [self] connection throws(RepositoryError) in
                try attach(to: connection)
            })
    }

    /// Attaches the file now at `path` to a reader, and returns the identity of that file.
    private func attach(to connection: Connection) throws(RepositoryError) -> FileID {
        let (path, mark) = try current()
        try connection.attachFile(
            file.access == .immutable ? Connection.immutable(path) : path, as: file.name)
        // If the store, or a file attached earlier, has a table with an entity's name, SQLite would read that table.
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
        return mark
    }
}

extension Connection {
    /// Attaches a file for reading.
    fileprivate func attachFile(_ path: String, as name: String) throws(RepositoryError) {
        try withAttaching { () throws(RepositoryError) in
            // Without `KEY`, an encrypting SQLite would open the attached file with the store's key.
            let key = options.key?.current == nil ? "" : " KEY ''"
            try execute("ATTACH ? AS \(Identifier.quoted(name))\(key)", [.text(path)])
        }
        try require(pragma: "\(Identifier.quoted(name)).mmap_size", 0)
    }
}
