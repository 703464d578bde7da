import Foundation
import Signals

/// A file that each connection which reads has attached.
///
/// Another file may take its name, as when a catalogue is published: each connection attaches that one before it reads
/// again.
final class AttachedStore {
    private let file: AttachedFile
    var name: String { file.name }
    /// The absolute path, of which links are followed each time.
    let place: String
    /// The SQL of its connections, which knows its tables.
    let dialect: SQLiteDialect?
    private let options: ConnectionOptions
    /// The findings of opening the file for reading, and which file that was; it has no connection.
    private let found: Lock<(store: OpenedStore, mark: FileMark)>
    var isAdopted: Bool { found.withLock { !$0.store.isOurs } }

    /// Checks that a file is what its entities declare; nothing is attached yet.
    private init(_ file: AttachedFile, _ options: ConnectionOptions) throws(RepositoryError) {
        self.file = file
        guard file.access != .readWrite else {
            throw .misuse(detail: "\(file.name) is attached for reading: say .readOnly or .immutable")
        }
        var options = options
        options.key = nil
        self.options = options
        let folder = FileManager.default.currentDirectoryPath
        place = file.path.hasPrefix("/") ? file.path : "\(folder)/\(file.path)"
        let mark = FileMark(place)
        let store = try Self.open(file, options)
        dialect = store.dialect as? SQLiteDialect
        guard let mark else { throw .fileMoved(path: place) }
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

    /// Removes what reading has left beside the file, once nobody reads it.
    func release() { found.withLock { $0.store.readersClosed() } }

    /// The path without links of the file that has the name now, which is checked if it is another one than before.
    private func current() throws(RepositoryError) -> (path: String, mark: FileMark) {
        guard let now = FileMark(place) else { throw .fileMoved(path: place) }
        if let known = found.withLock({ $0.mark == now ? $0.store.path : nil }) { return (known, now) }
        // The log left by readers of the file before it would be taken for this one's.
        if file.access != .immutable { Connection.removeEmptyLog(of: place, nil) }
        let store = try Self.open(file, options)
        let other = store.dialect as? SQLiteDialect
        guard other?.views == dialect?.views, other?.tables == dialect?.tables else {
            throw .schemaMismatch(
                detail: "\(file.path) was replaced by a file whose tables are of other kinds: open the repository again"
            )
        }
        found.withLock { $0 = (store, now) }
        return (store.path, now)
    }

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

    /// Attaches the file to a connection that reads, from now on, whichever has its name.
    func keepAttached(to connection: Connection) throws(RepositoryError) {
        try connection.add(
            Attachment(name: name, place: place) { [self] connection throws(RepositoryError) in
                try attach(to: connection)
            })
    }

    /// Attaches the file that has the name now to a connection that reads, and returns which one it is.
    private func attach(to connection: Connection) throws(RepositoryError) -> FileMark {
        let (path, mark) = try current()
        try connection.attachFile(
            file.access == .immutable ? Connection.immutable(path) : path, as: file.name)
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
        return mark
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
