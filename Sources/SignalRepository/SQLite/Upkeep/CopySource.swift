/// A file of which items are copied: one state of it, however much others write to it meanwhile.
final class CopySource {
    private let store: OpenedStore
    let session: Session
    private let connection: Connection

    /// Opens a file for reading, and checks that it has what entities declare.
    ///
    /// - Parameter target: the session of the store that gets the items.
    init(
        _ name: String, _ access: StoreAccess, _ key: EncryptionKey?, _ entities: [any Entity.Type],
        for target: Session
    ) throws(RepositoryError) {
        let target = try Connection.of(target)
        guard access != .readWrite else {
            throw .misuse(detail: "what is copied from is only read: say .readOnly or .immutable")
        }
        guard !entities.isEmpty else { throw .misuse(detail: "no entity is named whose items are to be copied") }
        if target.path != ":memory:", let mark = FileMark(name), mark == FileMark(target.path) {
            throw .misuse(detail: "\(name) is the file of the store itself")
        }
        var options = target.options
        options.key = StoreKey(key)
        let isAdopted = (target.dialect as? SQLiteDialect)?.isAdopted == true
        do throws(RepositoryError) {
            store = try OpenedStore(
                reading: name, access, entities, migrations: isAdopted ? nil : try target.seenMigrations(),
                options: options)
        } catch {
            // Or it would be taken for a fault of the store itself.
            guard case .schemaMismatch(let detail) = error else { throw error }
            throw .schemaMismatch(detail: "\(name) cannot be copied from: \(detail)")
        }
        do throws(RepositoryError) {
            connection = try store.openReader()
            try connection.begin(.read)
        } catch {
            store.readersClosed()
            throw error
        }
        session = Session(connection)
    }

    /// The items of an entity, in the order in which they were stored.
    func rows<Item: Entity>(of type: Item.Type) throws(RepositoryError) -> Statement {
        let sql = try Item.all.rows.sql.text(in: session.dialect)
        let statement = try connection.cached(sql.text)
        try statement.bind(sql.bindings)
        return statement
    }

    /// Lets go of the file, which is as it was, and of what SQLite has made beside it.
    func close() {
        session.close()
        store.readersClosed()
    }
}
