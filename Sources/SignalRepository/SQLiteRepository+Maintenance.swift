public import Foundation
public import Signals

// Maintenance of a file; a server has its own tools for this.
extension SQLiteRepository {
    /// Copies the current state of the store into a file, while reads and writes continue.
    ///
    /// ```swift
    /// let backup = repository.backup(to: "films-2026-11-25.sqlite", replacing: true).sink(
    ///     onValue: { progress in print("\(Int(progress.fraction * 100)) %") },
    ///     onCompletion: { completion in print(completion) })
    /// ```
    /// The copy is a file like the store's: open it, move it, or replace the closed store with it. The file gets its
    /// name once it is complete and on the disk. Until then, its name ends in `-backup`. A backup that fails or is
    /// cancelled removes that file. A killed program leaves it, and the next backup to the same path overwrites it.
    /// Concurrent writes are not in the copy. The write-ahead log keeps them until the backup ends, and so grows while
    /// a sink pauses.
    ///
    /// - Parameters:
    ///   - path: the path of the copy.
    ///   - isReplacing: whether an existing file at that path may be replaced; no program may have it open.
    /// - Delivery: the progress after every 512 pages, at the pace of the sink. The last value reports the complete
    ///   copy; then it finishes. A store in memory is copied in one step, with one value.
    /// - Failure: `.cannotOpen` when the file exists, is open, or cannot be created; `.ownedElsewhere` while another
    ///   backup writes to the same path; `.full`, `.io`, `.closed`.
    /// - Complexity: O(*n*) for a store of *n* pages.
    public func backup(
        to path: String, replacing isReplacing: Bool = false
    ) -> Signal<BackupProgress, RepositoryError> {
        guard opened.onlyConnection == nil else {
            return inspecting { connection, cancellation in
                try Backup(of: connection, to: BackupFile(path, replacing: isReplacing), cancellation).run()
            }
        }
        return engine.streaming(self) { [opened] cancellation throws(RepositoryError) in
            let connection = try opened.makeReader()
            do throws(RepositoryError) {
                let file = try BackupFile(path, replacing: isReplacing)
                try connection.begin(.read)
                let backup = try Backup(of: connection, to: file, cancellation)
                return OpenRows(
                    next: { () throws(RepositoryError) in try backup.next() },
                    close: {
                        backup.close()
                        connection.close()
                    })
            } catch {
                connection.close()
                throw error
            }
        }
    }

    /// Copies the current state of the store into memory, as the bytes of a file.
    ///
    /// ```swift
    /// let bytes = try await repository.backup().value()
    /// try bytes.write(to: URL(fileURLWithPath: "films.sqlite"))
    /// ```
    /// - Delivery: one value; then it finishes.
    /// - Failure: `.misuse` for an encrypted store, `.outOfMemory`, `.closed`.
    /// - Complexity: O(*n*) time and memory for a store of *n* pages.
    public func backup() -> Signal<Data, RepositoryError> {
        inspecting { connection, _ in try connection.serialized() }
    }

    /// Rewrites the file without its free pages, so that it shrinks by the space of deleted rows.
    ///
    /// Reads continue, and writes wait. The disk needs free space of twice the size of the store. Live queries are
    /// re-read, and change signals report "unknown".
    ///
    /// - Delivery: an empty value; then it finishes.
    /// - Failure: `.busy`, `.full`, `.io`, `.readOnly`, `.closed`. After a failure, the store is unchanged.
    /// - Complexity: O(*n*) for a store of *n* pages.
    public func vacuum() -> Signal<Void, RepositoryError> {
        engine.maintaining(self) { [opened] _ in try opened.writingConnection().vacuum() }
    }

    /// Encrypts the file with another key, which the next opening needs.
    ///
    /// ```swift
    /// try await repository.rekey(to: EncryptionKey("a new passphrase")).value()
    /// ```
    /// During the change, the file is closed as by `suspend()`, and other work waits. A copy with the new key replaces
    /// the file in one step. After a crash, the file has the old or the new key, and all data. If the linked SQLite
    /// supports it, as SQLite3 Multiple Ciphers does, a key can also encrypt an unencrypted file, and `nil` removes the
    /// encryption. Older backups, and freed blocks of the disk, are still encrypted with the old key.
    ///
    /// - Delivery: an empty value, once the file is replaced and the repository is resumed; then it finishes. A
    ///   repository that was suspended before stays suspended.
    /// - Failure: `.busy` while another program has the file open; `.misuse` when SQLite cannot encrypt, for a store in
    ///   memory, and for an adopted file; `.readOnly`, `.full`, `.io`, `.closed`. After a failure, the key is
    ///   unchanged.
    /// - Complexity: O(*n*) for a store of *n* pages.
    public func rekey(to key: EncryptionKey?) -> Signal<Void, RepositoryError> {
        engine.suspended(self) { [self] () throws(RepositoryError) in
            guard opened.onlyConnection == nil else { throw .misuse(detail: "a store in memory is not encrypted") }
            guard engine.canWrite else { throw .readOnly(detail: "it was opened for reading only") }
            try KeyChange(opened.path, to: key, opened.options).perform()
        }
    }

    /// Updates SQLite's statistics about the values in indexes, so that SQLite chooses the right index for a query.
    ///
    /// It samples a few hundred rows of each index whose statistics are missing or old. Once a day, or before closing,
    /// is enough.
    ///
    /// - Delivery: an empty value; then it finishes.
    /// - Failure: `.busy`, `.full`, `.io`, `.readOnly`, `.closed`.
    public func optimize() -> Signal<Void, RepositoryError> {
        engine.maintaining(self) { [opened] _ in try opened.writingConnection().optimize() }
    }

    /// Checks the whole store: its pages, indexes, foreign keys and full-text indexes.
    ///
    /// ```swift
    /// let check = try await repository.check().value()
    /// if !check.isSound { print(check) }
    /// ```
    /// The check does not compare the tables with the entities, because opening the store did that. A read-only
    /// repository compares a full-text index with the texts of the table, but does not check the words in the index.
    ///
    /// - Delivery: the faults that were found; then it finishes.
    /// - Failure: `.corrupt` when the file is too damaged to be read, `.closed`.
    /// - Complexity: O(*n* log *n*) for a store of *n* rows.
    public func check() -> Signal<StoreCheck, RepositoryError> {
        let check = inspecting { connection, _ in try StoreCheck(of: connection) }
        guard engine.canWrite else { return check }
        return check.flatMap { [self] check in
            guard check.damage.isEmpty else { return .just(check) }
            return engine.maintaining(self) { [opened] _ in
                var check = check
                let damaged = try opened.writingConnection().damagedSearches()
                check.staleSearchIndexes = Set(check.staleSearchIndexes + damaged).sorted()
                return check
            }
        }
    }

    /// Measures the size of the store.
    ///
    /// ```swift
    /// let size = try await repository.size().value()
    /// if size.free > size.file / 2 { try await repository.vacuum().value() }
    /// ```
    /// - Delivery: one value; then it finishes.
    /// - Failure: `.closed`.
    public func size() -> Signal<StoreSize, RepositoryError> {
        inspecting { connection, _ in try StoreSize(of: connection) }
    }

    /// Runs `body` with a connection that reads the whole store in one transaction.
    private func inspecting<Output: Sendable>(
        _ body: @escaping @Sendable (Connection, CancellationFlag) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        engine.reading(self) { [opened] store in
            try opened.reading(store.cancellation) { connection in try body(connection, store.cancellation) }
        }
    }
}
