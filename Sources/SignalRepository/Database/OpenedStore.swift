/// An open store: its writer, and the way to its readers.
///
/// Not `Sendable`: the owner of the queues takes it apart. The writer is closed last, which gives the file free.
final class OpenedStore {
    /// The connection that writes; `nil` when the store was opened read-only.
    let writer: Connection?
    /// The absolute path of the file, or `:memory:`.
    let path: String
    private let options: ConnectionOptions

    /// Whether there can be connections besides the writer: a store in memory has one connection for everything.
    var canHaveReaders: Bool { path != ":memory:" }

    /// Opens a store and makes its tables those of the entities, or leaves it as it is and throws.
    init(
        _ store: Store, access: StoreAccess = .readWrite, entities: [any Entity.Type],
        migrations: [Migration] = [], options: ConnectionOptions = ConnectionOptions()
    ) throws(RepositoryError) {
        self.options = options
        let opener = try StoreOpener(entities, migrations, options)
        switch (store, access) {
        case (.inMemory, .readOnly):
            throw .misuse(detail: "a store in memory begins empty, and so cannot be opened read-only")
        case (.inMemory, .readWrite):
            path = ":memory:"
            writer = try opener.openMemory()
        case (.file(let name), .readOnly):
            let file = try DatabasePath(name, access: .readOnly)
            path = file.path
            writer = nil
            try opener.inspect(file, .readOnly)
        case (.file(let name), .readWrite):
            let file = try DatabasePath(name, access: .readWrite)
            try opener.inspect(file, .readWrite)
            let ownership = try FileOwnership(file, waiting: options.ownershipTimeout)
            // Looked at again: another process may have made the file while this one waited.
            let present = try DatabasePath(name, access: .readWrite)
            let writer = try opener.openWriting(present)
            writer.ownership = ownership
            self.writer = writer
            path = present.path
        }
    }

    /// Opens one more connection, which only reads.
    func makeReader() throws(RepositoryError) -> Connection {
        guard canHaveReaders else { throw .misuse(detail: "a store in memory has one connection") }
        return try Connection(path: path, options: options.with(.reader))
    }
}
