import SignalRepository

extension Catalogue {
    /// A whole table read into values.
    static var fetchAll: Row {
        Row(
            id: "fetch.all", work: "200,000 films into an array, per film", operations: 200_000, bars: [.ofRaw(1.1)],
            raw: .reading("C API", RawStore.init) { try $0.fetchAll() },
            ours: .reading("SignalRepository", SQLiteRepository.init(films:)) { try $0.fetch(Film.all).wait() },
            peer: .reading("GRDB by hand", PeerStore.init) { try $0.fetchAll() })
    }
}
