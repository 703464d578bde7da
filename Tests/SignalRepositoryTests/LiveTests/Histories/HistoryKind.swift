import Foundation
import Signals
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// The configuration of a random history: in memory or in a file, with or without history and another program.
struct HistoryKind {
    let seed: Int
    /// Whether another program writes too, so that the commit numbers of its changes are unknown.
    let isShared: Bool
    private let isInMemory: Bool
    private let isKept: Bool
    let isUndoable: Bool
    private let retention: Duration

    init(_ seed: Int) {
        self.seed = seed
        // Every other one is in memory.
        (isInMemory, isShared) = (seed.isMultiple(of: 2), seed % 8 == 3)
        var random = SeededGenerator(seed: UInt64(seed) ^ 0x5eed)
        isUndoable = Int.random(in: 0..<3, using: &random) == 0
        isKept = isUndoable || Int.random(in: 0..<3, using: &random) == 0
        retention = Bool.random(using: &random) ? .seconds(1_000_000) : .seconds(1_000_000_000_000)
    }

    /// Opens the store, with partial indexes, one over an expression, and triggers that roll back or fail.
    func open(_ path: String) throws -> SQLiteRepository {
        var configuration = RepositoryConfiguration()
        configuration.now = Self.clock(seed)
        configuration.collations = [.length]
        if isShared {
            configuration.watchInterval = .milliseconds(5)
            // Waits until the other program is done, however busy the machine is.
            configuration.lockTimeout = .seconds(Patience.seconds)
        }
        return try SQLiteRepository(
            isInMemory ? .inMemory : .file(path),
            entities: [Piece.self, Rating.self, Entry.self, Gauge.self, Leaf.self],
            whenNew: { store in for sql in Self.schema { try store.execute(sql) } },
            configuration: configuration.with(
                durability: .normal,
                history: isKept ? .kept(for: retention, isUndoable: isUndoable) : StoreHistory.none))
    }

    private static let schema: [SQL] = [
        "CREATE INDEX heavy ON Piece (price) WHERE weight > 0.5", "CREATE INDEX lower ON Piece (lower(title))",
        "CREATE UNIQUE INDEX best ON Rating (stars, id) WHERE stars >= 3",
        "CREATE INDEX used ON Entry (text) WHERE uses > 0",
        "CREATE TRIGGER ended AFTER UPDATE ON Rating WHEN new.stars = 77 BEGIN SELECT RAISE(ROLLBACK, 'ended'); END",
        "CREATE TRIGGER failed AFTER UPDATE ON Leaf WHEN new.name = 'fail' BEGIN SELECT RAISE(FAIL, 'failed'); END",
    ]

    /// A clock that jumps by years, goes back, and sometimes shows 1970.
    private static func clock(_ seed: Int) -> @Sendable () -> Date {
        let random = Lock(SeededGenerator(seed: UInt64(seed)))
        return {
            random.withLock { random in
                let day = Double.random(in: 0...86_400, using: &random)
                return switch Int.random(in: 0..<40, using: &random) {
                case 0: Date(timeIntervalSince1970: 0)
                case 1: Date(timeIntervalSince1970: 1.7e9 + .random(in: -3e8...3e8, using: &random))
                default: Date(timeIntervalSince1970: 1.7e9 + day)
                }
            }
        }
    }

    /// The faults of a play, and of the entries that a follower of the store's history receives during it.
    func faults(_ repository: SQLiteRepository, _ play: () async throws -> [String]) async throws -> [String] {
        guard isKept else { return try await play() }
        let entries = repository.changes(since: .beginning).record()
        var faults = try await play()
        // The other program does not enforce foreign keys.
        let check = try await repository.check().value()
        if isShared ? !check.damage.isEmpty : !check.isSound { faults.append("\(check)") }
        let token = try await repository.read { try $0.historyToken() }.value()
        _ = await entries.last(where: { $0.token.number >= token.number })
        var last: HistoryEntry?
        for entry in entries.values {
            let (before, isPruned) = (last?.token.number ?? 0, entry.extent == .unknown(.pruned))
            if entry.token.number != before + 1, !(isPruned && entry.token.number > before) {
                faults.append("After entry \(before) of the history came \(entry)")
            }
            if let last, entry.time < last.time, !isPruned { faults.append("The time went back to \(entry)") }
            if isPruned {
                last = HistoryEntry(token: entry.token, time: .distantPast, extent: entry.extent)
            } else {
                last = entry
            }
        }
        return faults
    }
}

/// Another program, which waits for the lock like any other, holds it, and checkpoints.
struct ForeignWriter {
    private let path: String
    private let seed: UInt64

    init(_ path: String, seed: UInt64) { (self.path, self.seed) = (path, seed) }

    func write(_ count: Int) {
        guard let raw = try? RawDatabase(path) else { return }
        defer { raw.close() }
        var random = SeededGenerator(seed: seed)
        _ = raw.attempt("PRAGMA busy_timeout = 100000")
        for number in 0..<count {
            let id = Int.random(in: 0..<24, using: &random)
            let sql =
                switch Int.random(in: 0..<10, using: &random) {
                case 0: "UPDATE Piece SET weight = \(id) / 4.0 WHERE id % 5 = \(id % 5)"
                case 1: "DELETE FROM Piece WHERE id = \(id)"
                case 2: "INSERT OR REPLACE INTO Piece VALUES (\(id), 'theirs', \(100 * id), 0.5, NULL)"
                case 3: "INSERT OR REPLACE INTO Rating SELECT \(id % 16), id, \(1 + id % 5) FROM Piece LIMIT 1"
                case 4: "UPDATE Entry SET uses = (uses + 1) % 3"
                case 5: "INSERT OR REPLACE INTO Entry VALUES ('theirs \(id % 4)', 'x', \(id % 3))"
                case 6: "PRAGMA wal_checkpoint(TRUNCATE)"
                case 7: "BEGIN IMMEDIATE; UPDATE Piece SET price = price + 1 WHERE id = \(id); ROLLBACK"
                case 8 where id < 4: "VACUUM"
                default:
                    "BEGIN IMMEDIATE; UPDATE Piece SET studio = 'theirs' WHERE id = \(id); DELETE FROM Rating; COMMIT"
                }
            if !raw.attempt(sql), sql.hasPrefix("BEGIN") { _ = raw.attempt("ROLLBACK") }
            // Does not wait, but lets other threads run.
            if number % 4 == 0 { sched_yield() }
        }
    }
}
