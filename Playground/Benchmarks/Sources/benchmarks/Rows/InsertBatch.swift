import SignalRepository

extension Catalogue {
    /// Many films written at once.
    static var insertBatch: [Row] {
        [
            insertBatch("insert.batch", form("GRDB records", PeerStore.init) { try $0.insert(Film.samples) }),
            insertBatch(
                "insert.batch.statement",
                form("GRDB statement", PeerStore.init) { try $0.insertByStatement(Film.samples) }),
        ]
    }

    private static func insertBatch(_ id: String, _ peer: Form) -> Row {
        Row(
            id: id, work: "200,000 films in one transaction, per film", operations: 200_000, bars: [.ofRaw(1.15)],
            raw: form("C API", RawStore.init) { try $0.insert(Film.samples) },
            ours: form("SignalRepository", SQLiteRepository.init(films:)) { _ = try $0.insert(Film.samples).wait() },
            peer: peer)
    }

    /// A form that inserts into a new file; what was stored is its checksum.
    private static func form<Store>(
        _ name: String, _ open: @escaping (String) throws -> Store, insert: @escaping (Store) throws -> Void
    ) -> Form {
        .file(name, FilmTable.create, open, work: insert) { path, _ in try RawStore(path).fetchAll().checksum }
    }
}
