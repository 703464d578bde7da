/// An open store: its writer, and the way to more readers.
///
/// Not `Sendable`: the owner of the queues takes it apart.
final class OpenedStore {
    /// The connection that writes; `nil` when the store was opened read-only.
    let writer: Connection?
    /// The path of the file, or `:memory:`.
    let path: String
    private let options: ConnectionOptions

    /// Whether more connections than the writer can be opened.
    var canHaveReaders: Bool { path != ":memory:" }

    /// Opens a store and makes its tables those of the entities; see `StoreOpener`.
    init(
        _ store: Store, access: StoreAccess = .readWrite, entities: [any Entity.Type], options: ConnectionOptions = .init()
    ) throws(RepositoryError) {
        var options = options
        options.role = access == .readWrite ? .writer : .reader
        self.options = options
        switch store {
        case .file(let path): self.path = path
        case .inMemory: self.path = ":memory:"
        }
        let writer = try Connection(path: path, options: options)
        for entity in entities {
            let shape = try TableShape(entity)
            try writer.execute(shape.creation)
            for index in shape.indexes { try writer.execute(index.creation(on: shape.name)) }
        }
        self.writer = writer
    }

    /// Opens one more connection, which only reads.
    func makeReader() throws(RepositoryError) -> Connection {
        var options = options
        options.role = .reader
        return try Connection(path: path, options: options)
    }
}
