import SignalRepository

extension Catalogue {
    /// Many films written at once.
    static var insertBatch: [Row] {
        [
            insertBatch(
                "insert.batch",
                .writing("GRDB records", FilmTable.create, PeerStore.init) { try $0.insert(Film.samples) }),
            insertBatch(
                "insert.batch.statement",
                .writing("GRDB statement", FilmTable.create, PeerStore.init) {
                    try $0.insertByStatement(Film.samples)
                }),
        ]
    }

    private static func insertBatch(_ id: String, _ peer: Form) -> Row {
        Row(
            id: id, work: "200,000 films in one transaction, per film", operations: 200_000, bars: [.ofRaw(1.15)],
            raw: .writing("C API", FilmTable.create, RawStore.init) { try $0.insert(Film.samples) },
            ours: .writing("SignalRepository", FilmTable.create, SQLiteRepository.init(films:)) {
                _ = try $0.insert(Film.samples).wait()
            },
            peer: peer)
    }
}
