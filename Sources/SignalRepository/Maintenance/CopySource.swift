/// A snapshot of a file from which items are copied; other programs may keep writing to the file.
final class CopySource {
    private let store: OpenedStore
    let session: Session
    private let connection: Connection

    /// Opens a file for reading, and checks that its tables match the entities.
    ///
    /// - Parameter target: the connection to the store that receives the items.
    init(
        _ name: String, _ access: StoreAccess, _ key: EncryptionKey?, _ entities: [any Entity.Type],
        for target: Connection
    ) throws(RepositoryError) {
        guard access != .readWrite else {
            throw .misuse(detail: "the file to copy from is only read: use .readOnly or .immutable")
        }
        guard !entities.isEmpty else { throw .misuse(detail: "no entity was given: name the entities to copy") }
        if target.path != ":memory:", let mark = FileID(name), mark == FileID(target.path) {
            throw .misuse(detail: "\(name) is the file of the store itself")
        }
        var options = target.options
        options.key = StoreKey(key)
        let migrations = target.sqliteDialect.isAdopted ? nil : try target.seenMigrations()
        do throws(RepositoryError) {
            store = try OpenedStore(reading: name, access, entities, migrations: migrations, options: options)
        } catch {
            // Without the file's name, the error would seem to be about the store that receives the items.
            guard case .schemaMismatch(let detail) = error else { throw error }
            throw .schemaMismatch(detail: "\(name) cannot be copied from: \(detail)")
        }
        do throws(RepositoryError) {
            connection = try store.makeReader()
            try connection.begin(.read)
        } catch {
            store.readersClosed()
            throw error
        }
        session = Session(connection)
    }

    /// Returns a statement that reads the items of an entity, in the order in which they are stored.
    func rows<Item: Entity>(of type: Item.Type) throws(RepositoryError) -> Statement {
        let sql = try Item.all.rows.sql.text(in: session.dialect)
        let statement = try connection.cached(sql.text)
        try statement.bind(sql.bindings)
        return statement
    }

    /// Closes the file, and removes the log that was created for reading it.
    func close() {
        session.close()
        store.readersClosed()
    }
}
