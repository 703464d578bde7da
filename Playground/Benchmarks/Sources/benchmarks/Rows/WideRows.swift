import SignalRepository

extension Catalogue {
    /// Rows of 30 columns, written and read.
    static var wide: [Row] {
        [
            Row(
                id: "insert.wide", work: "50,000 rows of 30 columns in one transaction, per row", operations: 50_000,
                bars: [.ofRaw(1.1)],
                raw: writing("C API", RawStore.init) { try $0.insert(Wide.samples) },
                ours: writing("SignalRepository", SQLiteRepository.init(wide:)) {
                    _ = try $0.insert(Wide.samples).wait()
                },
                peer: writing("GRDB statement", PeerStore.init) { try $0.insertByStatement(Wide.samples) }),
            Row(
                id: "fetch.wide", work: "50,000 rows of 30 columns into an array, per row", operations: 50_000,
                bars: [.ofRaw(1.1)],
                raw: reading("C API", RawStore.init) { try $0.fetchAllWide() },
                ours: reading("SignalRepository", SQLiteRepository.init(wide:)) { try $0.fetch(Wide.all).wait() },
                peer: reading("GRDB by hand", PeerStore.init) { try $0.fetchAllWide() }),
        ]
    }

    /// A form that inserts into a new file; its checksum covers the stored rows.
    private static func writing<Store>(
        _ name: String, _ open: @escaping (String) throws -> Store, insert: @escaping (Store) throws -> Void
    ) -> Form {
        .file(name, WideTable.create, open, work: insert) { path, _ in try RawStore(path).fetchAllWide().checksum }
    }

    /// A form that reads a file filled with all rows before it is measured.
    private static func reading<Store>(
        _ name: String, _ open: @escaping (String) throws -> Store, read: @escaping (Store) throws -> [Wide]
    ) -> Form {
        .file(name, WideTable.fill, open, work: read) { _, rows in rows.checksum }
    }
}
