public import Foundation
public import Signals

// What keeps a file in good order; a server has its own tools for that.
extension SQLiteRepository {
    /// Copies the store as it is now into a file, while it is read and written.
    ///
    /// ```swift
    /// let backup = repository.backup(to: "films-2026-11-25.sqlite", replacing: true).sink(
    ///     onValue: { progress in print("\(Int(progress.fraction * 100)) %") },
    ///     onCompletion: { completion in print(completion) })
    /// ```
    /// The copy is a file like the store's own: open it, move it, or put it in the store's place while that is closed.
    /// It has its name once it is whole and on the disk. Before, it is called `…-backup`; one that fails or is
    /// cancelled takes that file away, and the next backup of the same name overwrites what a killed program has left.
    /// What is written meanwhile is not in the copy, and waits in the log: a backup is not the place to pause.
    ///
    /// - Parameters:
    ///   - path: where the copy is made.
    ///   - isReplacing: whether a file of that name may be replaced, which must not be open.
    /// - Delivery: how far it has come, after every 512 pages, at the pace of the sink; the last one says that all is
    ///   in the file; then it finishes. A store in memory is copied in one piece, with one value.
    /// - Failure: `.cannotOpen` where the file exists, is open, or cannot be made; `.ownedElsewhere` while another
    ///   backup writes it; `.full`, `.io`, `.closed`.
    /// - Complexity: O(*n*) for a store of *n* pages.
    public func backup(
        to path: String, replacing isReplacing: Bool = false
    ) -> Signal<BackupProgress, RepositoryError> {
        guard engine.canStream else {
            return engine.reading(self) { store in
                try Backup(of: store.session, to: BackupFile(path, replacing: isReplacing), store.cancellation).run()
            }
        }
        return engine.streaming(self) { session, cancellation throws(RepositoryError) in
            do throws(RepositoryError) {
                let file = try BackupFile(path, replacing: isReplacing)
                try session.connection.begin(.read)
                let backup = try Backup(of: session, to: file, cancellation)
                return OpenRows(
                    next: { () throws(RepositoryError) in try backup.next() },
                    close: {
                        backup.close()
                        session.close()
                    })
            } catch {
                session.close()
                throw error
            }
        }
    }

    /// Reads the store as it is now into memory, as the bytes of a file.
    ///
    /// ```swift
    /// let bytes = try await repository.backup().value()
    /// try bytes.write(to: URL(fileURLWithPath: "films.sqlite"))
    /// ```
    /// - Delivery: one value; then it finishes.
    /// - Failure: `.outOfMemory`, `.closed`.
    /// - Complexity: O(*n*) for a store of *n* pages, and as much memory.
    public func backup() -> Signal<Data, RepositoryError> {
        engine.reading(self) { store in try Upkeep.bytes(of: store.session) }
    }

    /// Gives back the room of what was deleted: writes the file anew without its free pages.
    ///
    /// Reads go on meanwhile, and writes wait. It needs as much free room on the disk as the store takes, twice. Live
    /// queries are read again, and change signals report "unknown".
    ///
    /// - Delivery: an empty value; then it finishes.
    /// - Failure: `.busy`, `.full`, `.io`, `.readOnly`, `.closed`. The store is as it was.
    /// - Complexity: O(*n*) for a store of *n* pages.
    public func vacuum() -> Signal<Void, RepositoryError> {
        engine.maintaining(self) { session in try Upkeep.vacuum(session) }
    }

    /// Encrypts the file with another key, which the next opening needs.
    ///
    /// ```swift
    /// try await repository.rekey(to: EncryptionKey("a new passphrase")).value()
    /// ```
    /// The file is closed meanwhile, as by `suspend()`, and work waits. A copy with the new key takes its place in one
    /// step: after a crash the file has one key or the other, and all that was stored. A file that is not encrypted can
    /// be, and `nil` takes the encryption away, where the library does that, as SQLite3 Multiple Ciphers does. Backups,
    /// and blocks of the disk that are free now, still have the old key.
    ///
    /// - Delivery: an empty value, once the repository goes on; then it finishes.
    /// - Failure: `.busy` while somebody else has the file open; `.misuse` where SQLite cannot encrypt, for a store in
    ///   memory and the file of something else; `.readOnly`, `.full`, `.io`, `.closed`. The key is as it was.
    /// - Complexity: O(*n*) for a store of *n* pages.
    public func rekey(to key: EncryptionKey?) -> Signal<Void, RepositoryError> {
        engine.suspended(self) { [self] () throws(RepositoryError) in
            guard path != ":memory:" else { throw .misuse(detail: "a store in memory is not encrypted") }
            guard engine.canWrite else { throw .readOnly(detail: "it was opened for reading only") }
            try KeyChange(path, to: key, connectionOptions).perform()
        }
    }

    /// Lets SQLite learn how the values are distributed, so that it chooses the right index for a query.
    ///
    /// It looks at a few hundred rows of each index of which it knows too little. Once a day is enough, or before
    /// closing.
    ///
    /// - Delivery: an empty value; then it finishes.
    /// - Failure: `.busy`, `.full`, `.io`, `.readOnly`, `.closed`.
    public func optimize() -> Signal<Void, RepositoryError> {
        engine.maintaining(self) { session in try Upkeep.optimize(session) }
    }

    /// Checks the whole store: its pages and indexes, its references, its full-text indexes.
    ///
    /// ```swift
    /// let check = try await repository.check().value()
    /// if !check.isSound { print(check) }
    /// ```
    /// Whether the tables are those of the entities was checked when the store was opened. A repository that only reads
    /// compares the texts of a full-text index, and not its words.
    ///
    /// - Delivery: what was found; then it finishes.
    /// - Failure: `.corrupt` where the file is too damaged to be read, `.closed`.
    /// - Complexity: O(*n* log *n*) for a store of *n* rows.
    public func check() -> Signal<StoreCheck, RepositoryError> {
        let check = engine.reading(self) { store in try StoreCheck(of: store.session) }
        guard engine.canWrite else { return check }
        return check.flatMap { [self] check in
            guard check.damage.isEmpty else { return .just(check) }
            return engine.maintaining(self) { session in
                var check = check
                let damaged = try Upkeep.damagedSearches(session)
                check.wrongSearches = Set(check.wrongSearches + damaged).sorted()
                return check
            }
        }
    }

    /// Measures how much room the store takes.
    ///
    /// ```swift
    /// let size = try await repository.size().value()
    /// if size.free > size.file / 2 { try await repository.vacuum().value() }
    /// ```
    /// - Delivery: one value; then it finishes.
    /// - Failure: `.closed`.
    public func size() -> Signal<StoreSize, RepositoryError> {
        engine.reading(self) { store in try StoreSize(of: store.session) }
    }
}
