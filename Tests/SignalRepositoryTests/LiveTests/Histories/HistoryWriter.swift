import Foundation
import Signals
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// One thread's random writes, of every kind.
///
/// It waits for some of them, leaves others running, and cancels a few.
struct HistoryWriter {
    private let repository: HistoryRepository
    private let kind: HistoryKind
    private var random: SeededGenerator
    private var running: [Run] = []
    /// Collects the errors that no write of a history should cause.
    private let failures: ReceivedTexts

    init(_ repository: HistoryRepository, _ kind: HistoryKind, seed: UInt64, failures: ReceivedTexts) {
        (self.repository, self.kind) = (repository, kind)
        self.failures = failures
        random = SeededGenerator(seed: seed)
    }

    /// Writes `count` times; all writes have ended when it returns.
    mutating func write(_ count: Int) {
        for _ in 0..<count { writeOnce() }
        for run in running { wait(for: run) }
    }

    private mutating func writeOnce() {
        let piece = Piece.random(&random)
        let pieces = (0..<Int.random(in: 1...8, using: &random)).map { _ in Piece.random(&random) }
        let rating = Rating.random(&random)
        let limit = piece.price
        if Int.random(in: 0..<4, using: &random) == 0 { return writeLeaf(piece, rating) }
        if Int.random(in: 0..<6, using: &random) == 0 { return writeRoughly(piece.id) }
        switch Int.random(in: 0..<37, using: &random) {
        case 0: run(repository.create(piece))
        case 1: run(repository.create(pieces))
        case 2: run(repository.createAtomically(pieces))
        case 3: run(repository.update(piece))
        case 4: run(repository.update(pieces))
        case 5: run(repository.upsert(piece))
        case 6: run(repository.upsert(pieces))
        case 7: run(repository.delete(piece))
        case 8: run(repository.delete(Piece.self, ids: pieces.prefix(3).map(\.id)))
        case 9: run(repository.insert(pieces))
        case 10: run(repository.insert((0..<12).map { Piece.random(&random, id: 24 + 12 * (piece.id % 4) + $0) }))
        case 11: run(repository.update(Piece.self, set: [.set(\.studio, to: piece.studio)]) { $0.price < limit })
        case 12: run(repository.delete(Piece.self) { $0.price > limit })
        case 13: execute("UPDATE Piece SET price = price + 1 WHERE id <> ?", piece.id)
        case 14: execute("DELETE FROM Piece WHERE id >= ?", piece.id % 8)
        case 15: execute("REPLACE INTO Piece VALUES (?, 'R', 7, 0.5, 'C')", piece.id)
        case 16: run(repository.upsert(rating))
        case 17: execute("UPDATE Piece SET title = title WHERE id = ?", piece.id)
        case 18, 19: run(repository.transaction { try Self.nested($0, piece, pieces, rating) })
        case 20: run(repository.transaction { try Self.failing($0, piece, pieces) })
        case 21: run(repository.upsert(Entry.random(&random)))
        case 22: run(repository.insert([Entry.random(&random), Entry.random(&random)]))
        case 23: run(repository.update(Entry.random(&random)))
        case 24: run(repository.delete(Entry.self, id: TextZoo.random(&random)))
        case 25: run(repository.update(Entry.self, set: [.set(\.text, to: piece.title)]) { $0.uses == 1 })
        case 26: run(repository.delete(Entry.self) { $0.text == piece.title })
        case 27: exchange(TextZoo.random(&random), TextZoo.random(&random))
        case 28...31: run(repository.upsert(Gauge.random(&random)))
        case 32: run(repository.upsert([Gauge.random(&random), Gauge.random(&random), Gauge.random(&random)]))
        case 33: run(repository.delete(Gauge.self) { $0.whole / 7 % 2 == 0 && $0.id != 3 })
        case 34: execute("UPDATE Gauge SET real = -real, other = NULL, whole = ~whole WHERE id >= ?", piece.id)
        case 35: run(repository.transaction { try Self.halfway($0, piece, rating.piece) })
        default: run(repository.transaction(author: "writer") { try Self.cancelling($0, pieces) })
        }
    }

    /// Changes leaves, sometimes together with the items that they refer to.
    private mutating func writeLeaf(_ piece: Piece, _ rating: Rating) {
        let leaf = Leaf.random(&random)
        switch Int.random(in: 0..<11, using: &random) {
        case 0...2: run(repository.upsert(leaf))
        case 3: run(repository.insert([leaf, Leaf.random(&random), Leaf.random(&random)]))
        case 4: run(repository.delete(Leaf.self, id: leaf.id))
        case 5: run(repository.update(Leaf.self, set: [.set(\.piece, to: leaf.piece)]) { $0.entry == leaf.entry })
        case 6:
            run(
                repository.transaction {
                    try $0.execute("UPDATE OR REPLACE Leaf SET id = ? WHERE id = ?", leaf.id, rating.piece % 12)
                })
        case 7:
            run(
                repository.transaction { store in
                    try store.upsert(piece)
                    try store.upsert(leaf)
                    try store.update(Leaf.self, set: [.set(\.piece, to: piece.id)]) { $0.name == leaf.name }
                    try store.execute("UPDATE Entry SET uses = uses + 1 WHERE id = ?", leaf.entry)
                })
        case 8: execute("UPDATE OR IGNORE Leaf SET parent = ? WHERE id % 3 = 1", piece.id % 12)
        case 9:
            // The same row with another row ID.
            run(
                repository.transaction { store in
                    guard let entry = try store.first(Entry.all) else { return }
                    try store.delete(entry)
                    try store.create(entry)
                })
        default:
            run(
                repository.transaction { store in
                    try store.execute("UPDATE OR REPLACE Piece SET id = ? WHERE id = ?", piece.id, rating.piece)
                    try store.upsert(Rating(id: rating.id, piece: piece.id, stars: rating.stars))
                })
        }
    }

    /// Transactions that SQLite ends by itself, statements that stop halfway, undo and redo, and maintenance.
    private mutating func writeRoughly(_ id: Int) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0,
            1 where kind.isUndoable:
            undo(isRedo: false)
        case 2 where kind.isUndoable: undo(isRedo: true)
        // Nobody records the state after these commits.
        case 3 where kind.isShared:
            run(repository.base.vacuum(), allowing: { if case .busy = $0 { true } else { false } })
        case 4 where kind.isShared:
            run(repository.base.optimize(), allowing: { if case .busy = $0 { true } else { false } })
        default:
            let statements = [
                "INSERT OR ROLLBACK INTO Gauge SELECT * FROM Gauge", "UPDATE Rating SET stars = 77 WHERE id = \(id)",
                "UPDATE OR FAIL Piece SET id = id + 1 WHERE id < 400", "UPDATE Leaf SET name = 'fail'",
                "INSERT OR REPLACE INTO Piece SELECT id, title, price, 0.25, studio FROM Piece WHERE id = \(id)",
                "UPDATE Gauge SET whole = CASE id WHEN \(id) THEN 1 ELSE 2 END",
                "INSERT OR FAIL INTO Rating SELECT id + 1, piece, stars FROM Rating",
                "UPDATE OR ROLLBACK Entry SET id = 'same'",
            ]
            let sql = statements[Int.random(in: 0..<statements.count, using: &random)]
            run(
                repository.transaction(author: "rough") { store in
                    try store.execute("UPDATE Entry SET uses = uses + 1 WHERE id = ''")
                    _ = try? store.execute(SQL(unsafe: sql))
                    try store.execute(SQL(unsafe: "UPDATE Piece SET weight = 1.5 WHERE id = \(id)"))
                })
        }
    }

    private mutating func undo(isRedo: Bool) {
        let author = Bool.random(using: &random) ? "rough" : nil
        run(
            repository.transaction(author: author) { [opened = repository.base.opened] store in
                _ = try store.undo(isRedo: isRedo, on: opened.writingConnection())
            },
            allowing: { if case .conflict = $0 { true } else { $0.isMisuse } })
    }

    /// A transaction with two nested ones, each of which may be rolled back.
    private static func nested(
        _ store: WriteTransaction, _ piece: Piece, _ pieces: [Piece], _ rating: Rating
    ) throws {
        try store.upsert(piece)
        try? store.transaction { inner in
            try inner.upsertAtomically(pieces)
            try inner.delete(Rating.self) { _ in .true }
            if piece.price > 5 { inner.cancel() }
        }
        try? store.transaction { inner in
            try inner.upsert(Rating(id: rating.id, piece: piece.id, stars: rating.stars))
            try inner.transaction { try $0.execute("UPDATE Piece SET weight = NULL WHERE id = ?", piece.id) }
            // No piece has this key, so the savepoint fails.
            if piece.price > 7 { try inner.create(Rating(id: 99, piece: 99, stars: 1)) }
        }
    }

    /// Statements that a constraint refuses: the transaction survives the first two, and the last one fails it.
    private static func failing(_ store: WriteTransaction, _ piece: Piece, _ pieces: [Piece]) throws {
        try store.upsert(piece)
        _ = try? store.create(piece)
        _ = try? store.insert(pieces + [piece])
        if piece.price > 3 { try store.create(piece) }
    }

    /// A statement that fails at one of its rows: SQLite silently undoes its changes to the other rows, and the
    /// transaction goes on.
    private static func halfway(_ store: WriteTransaction, _ piece: Piece, _ other: Int) throws {
        try store.upsert(piece)
        _ = try? store.execute(
            "UPDATE Piece SET price = price + 1, id = CASE id WHEN ? THEN ? ELSE id END", piece.id, other)
    }

    private static func cancelling(_ store: WriteTransaction, _ pieces: [Piece]) throws {
        try store.upsertAtomically(pieces)
        try store.execute("DELETE FROM Rating")
        store.cancel()
    }

    /// Gives an item another key, often one that Swift treats as equal.
    private mutating func exchange(_ old: String, _ new: String) {
        run(repository.transaction { try $0.execute("UPDATE OR REPLACE Entry SET id = ? WHERE id = ?", new, old) })
    }

    private mutating func execute(_ sql: SQL, _ id: Int) {
        run(repository.transaction { try $0.execute(sql, id) })
    }

    private mutating func run<Value>(
        _ signal: Signal<Value, RepositoryError>,
        allowing isAllowed: @escaping @Sendable (RepositoryError) -> Bool = { _ in false }
    ) {
        let run = Run()
        signal.sink(
            cancelledBy: run.token, onValue: { _ in },
            onCompletion: { [failures] completion in
                if case .failure(let error) = completion, !error.isPartOfAHistory, !isAllowed(error) {
                    failures.append("\(error)")
                }
                run.end.signal()
            })
        switch Int.random(in: 0..<8, using: &random) {
        case 0: run.token.cancel()
        case 1...4: wait(for: run)
        default: running.append(run)
        }
        guard !running.isEmpty, Int.random(in: 0..<6, using: &random) == 0 else { return }
        running.remove(at: Int.random(in: 0..<running.count, using: &random)).token.cancel()
    }

    private func wait(for run: Run) {
        if run.end.wait(timeout: .now() + .seconds(Patience.seconds)) == .timedOut {
            failures.append("A write did not end in time.")
        }
    }
}

/// One attached write; nobody waits for a cancelled one, because it does not complete.
private struct Run {
    let token = SignalToken()
    let end = DispatchSemaphore(value: 0)
}

extension RepositoryError {
    fileprivate var isPartOfAHistory: Bool { isNotFound || isConstraint || isCancelled }
}
