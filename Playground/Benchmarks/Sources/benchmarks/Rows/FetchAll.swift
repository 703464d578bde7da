import SignalRepository

extension Catalogue {
    /// A whole table read into values.
    static var fetchAll: Row {
        Row(
            id: "fetch.all", work: "200,000 films into an array, per film", operations: 200_000, bars: [.ofRaw(1.1)],
            raw: form("C API", RawFilmStore.init) { try $0.fetchAll() },
            ours: form("SignalRepository", SQLiteRepository.init(films:)) { try $0.fetch(Film.all).wait() },
            peer: form("GRDB by hand", PeerFilmStore.init) { try $0.fetchAll() })
    }

    /// A form that reads a file filled before it is measured.
    private static func form<Store>(
        _ name: String, _ open: @escaping (String) throws -> Store, fetch: @escaping (Store) throws -> [Film]
    ) -> Form {
        Form(name) { meter in
            try TemporaryFolder.withFile { path in
                try FilmTable.create(path)
                try RawFilmStore(path).insert(Film.samples)
                let store = try open(path)
                return try meter.time { try fetch(store) }.checksum
            }
        }
    }
}
