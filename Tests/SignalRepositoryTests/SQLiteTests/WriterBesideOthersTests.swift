import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// The writer beside other programs that commit at the worst moments.
@Suite("External commits") struct WriterBesideOthersTests {
    private final class Reader: LogReader {
        func wake() {}
        func logClosed() {}
    }

    /// A writer on a file, and another program that acts when the writer begins a certain statement.
    private final class Trial {
        let folder: TemporaryFolder
        let log = CommitLog()
        let writer: SQLiteWriter
        let other: RawDatabase
        private let reader = Reader()
        private let armed = Lock<(prefix: String, sql: String)?>(nil)

        init(_ history: StoreHistory = .none) async throws {
            folder = try TemporaryFolder()
            let made = try SQLiteRepository(
                .file(folder.file()), entities: Diary.entities, configuration: RepositoryConfiguration(history: history)
            )
            try await made.create(Diary.Page(number: 1, text: "one")).value()
            await closed(made)
            var options = ConnectionOptions()
            let (armed, path) = (armed, folder.file())
            options.trace = { text in
                let due = armed.withLock { armed -> String? in
                    guard let due = armed, text.hasPrefix(due.prefix) else { return nil }
                    armed = nil
                    return due.sql
                }
                if let due { try? RawDatabase(path).run(due) }
            }
            let connection = try Connection(path: folder.file(), options: options)
            try connection.becomeWriter()
            other = try RawDatabase(folder.file())
            writer = SQLiteWriter(connection, checkpointBound: 1_000, history: history, now: { Date() })
            #expect(log.subscribe(reader, capturing: .all))
        }

        /// Makes the other program run `sql` when the writer begins its next statement with this prefix.
        func arm(_ prefix: String, _ sql: String) {
            armed.withLock { $0 = (prefix, sql) }
        }

        var isArmed: Bool { armed.withLock { $0 != nil } }

        func perform(_ body: (WriteTransaction) throws -> Void) -> Result<Void, RepositoryError> {
            writer.perform(WriteTransaction(writer.session, CancellationFlag(), author: nil), log: log, body)
        }

        /// Returns the number of external commits that were reported since the last call.
        func elsewhere() -> Int {
            writer.poll(log)
            return log.take(reader, capturing: .all).records.count { record in
                if case .external = record.rows { true } else { false }
            }
        }

        /// Returns the extent of each commit in the history.
        func history() throws -> [HistoryEntry.Extent] {
            let transaction = ReadTransaction(writer.session, CancellationFlag())
            return try transaction.history(since: .beginning).map(\.extent)
        }
    }

    @Test("V3 R14 An external commit is noticed even after SQLite itself has ended the writer's transaction")
    func endedBySQLite() async throws {
        let trial = try await Trial()
        for (number, clause) in ["OR ROLLBACK", "OR FAIL", "OR ABORT"].enumerated() {
            let result = trial.perform { store in
                try store.execute("UPDATE Page SET text = text || '.'")
                // To name the columns of the constraint, the library reads the schema again.
                if number == 0 { trial.arm("PRAGMA schema_version", "INSERT INTO Page VALUES (2, 'theirs')") }
                _ = try store.execute(SQL(unsafe: "INSERT \(clause) INTO Page VALUES (1, 'again')"))
            }
            #expect(throws: RepositoryError.self) { try result.get() }
            #expect(!trial.isArmed && trial.elsewhere() == (number == 0 ? 1 : 0))
        }
        trial.writer.close()
    }

    @Test("V1 R14 An external commit is noticed while the writer waits to record another one in the history")
    func whileWaiting() async throws {
        let trial = try await Trial(.kept(for: .seconds(1_000_000)))
        try trial.other.run("INSERT INTO Page VALUES (2, 'theirs')")
        trial.arm("BEGIN IMMEDIATE", "INSERT INTO Page VALUES (3, 'theirs')")
        #expect(trial.elsewhere() == 2 && !trial.isArmed)
        #expect(trial.elsewhere() == 0)
        #expect(try trial.history() == [.rows, .unknown(.otherConnection)])
        trial.writer.close()
    }

    @Test("V1 An external commit is recorded in the history, even after a transaction that changed nothing")
    func gapIsKept() async throws {
        let trial = try await Trial(.kept(for: .seconds(1_000_000)))
        try trial.other.run("INSERT INTO Page VALUES (2, 'theirs')")
        try trial.perform { _ in }.get()
        try trial.perform { store in try store.create(Diary.Page(number: 3, text: "")) }.get()
        #expect(try trial.history() == [.rows, .unknown(.otherConnection), .rows])
        trial.writer.close()
    }

    @Test("S-M1 A checkpoint by another program does not count as a commit, however it empties the log")
    func checkpoints() async throws {
        let trial = try await Trial(.kept(for: .seconds(1_000_000), isUndoable: true))
        for kind in ["TRUNCATE", "TRUNCATE", "RESTART", "FULL", "PASSIVE"] {
            try trial.other.run("PRAGMA wal_checkpoint(\(kind))")
            #expect(trial.elsewhere() == 0)
            try trial.perform { store in try store.execute("UPDATE Page SET text = ?", kind) }.get()
            try trial.other.run("PRAGMA wal_checkpoint(\(kind))")
            #expect(trial.elsewhere() == 0)
        }
        #expect(try trial.history() == Array(repeating: .rows, count: 6))
        // A commit before the checkpoint does count.
        try trial.other.run("UPDATE Page SET text = 'theirs'; PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(trial.elsewhere() == 1)
        trial.writer.close()
    }
}
