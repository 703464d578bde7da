import CSQLite
import Foundation
import GRDB
import SignalRepository

extension Catalogue {
    /// A backup of an open store; the raw form works like `.backup` in SQLite's command line.
    static var backup: Row {
        Row(
            id: "backup", work: "200,000 films copied into a file, per film", operations: Film.samples.count,
            bars: [.ofRaw(1.25)],
            raw: .copying("C API, as .backup", RawStore.init) { store, copy in try store.backup(to: copy) },
            ours: .copying("SignalRepository", SQLiteRepository.init(films:)) { repository, copy in
                _ = try repository.backup(to: copy).last().wait()
            },
            peer: .copying("GRDB", PeerStore.init) { store, copy in
                try store.pool.backup(to: DatabaseQueue(path: copy))
            })
    }
}

extension Form {
    /// A form that copies a file filled with all films; its checksum covers the films of the copy.
    fileprivate static func copying<Store>(
        _ name: String, _ open: @escaping (String) throws -> Store, work: @escaping (Store, String) throws -> Void
    ) -> Form {
        Form(name) { meter in
            try TemporaryFolder.withFile { path in
                try FilmTable.fill(path)
                let (store, copy) = (try open(path), path + ".copy")
                try meter.time { try work(store, copy) }
                return try RawStore(copy).fetchAll().checksum
            }
        }
    }
}

extension RawStore {
    /// Copies the store a hundred pages at a time.
    fileprivate func backup(to path: String) throws {
        var copy: OpaquePointer?
        guard sqlite3_open(path, &copy) == SQLITE_OK else { throw RawFailure(code: SQLITE_CANTOPEN) }
        defer { sqlite3_close(copy) }
        let backup = sqlite3_backup_init(copy, "main", handle, "main")
        while sqlite3_backup_step(backup, 100) == SQLITE_OK {}
        let code = sqlite3_backup_finish(backup)
        guard code == SQLITE_OK else { throw RawFailure(code: code) }
    }
}
