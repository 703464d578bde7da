import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Random commits to tables with keys of each kind, each with all rows before and after it.
struct Diary {
    /// An entity whose key is the rowid.
    struct Page: Entity, Equatable {
        let number: Int
        var text: String
        var id: Int { number }
        static let schema = Schema(
            Column("number", \Page.number, .key), Column("text", \.text), make: Page.init)
    }

    struct Word: Entity, Equatable {
        let id: String
        var count: Int
        static let schema = Schema(Column("id", \Word.id), Column("count", \.count), make: Word.init)
    }

    /// A note, which is deleted with its page.
    struct Note: Entity, Equatable {
        let page: Int
        let word: String
        var size: Double?
        var id: CompositeKey<Int, String> { CompositeKey(page, word) }
        static let schema = Schema<Note>(key: [\.page, \.word]) {
            Column("page", \.page, .references(Page.self, onDelete: .cascade))
            Column("word", \.word)
            Column("size", \.size)
        } decode: { row in
            try Note(page: row.next(), word: row.next(), size: row.next())
        }
    }

    static let entities: [any Entity.Type] = [Page.self, Word.self, Note.self]

    /// All rows by table and key.
    typealias State = [String: [[SQLValue]: [SQLValue]]]

    struct Commit {
        let author: String?
        let before: State
        let after: State
    }

    private(set) var commits: [Commit] = []

    static func state(of repository: SQLiteRepository) async throws -> State {
        try await repository.read { store in
            var state: State = [:]
            for (table, width) in [("Page", 1), ("Word", 1), ("Note", 2)] {
                let rows = try store.rows(SQL(unsafe: "SELECT * FROM \(table)"))
                state[table] = Dictionary(uniqueKeysWithValues: rows.map { (Array($0.prefix(width)), $0) })
            }
            return state
        }.value()
    }

    /// Runs a random transaction, which commits or is cancelled, and records its effect.
    mutating func commit(
        to repository: SQLiteRepository, author: String? = nil, _ random: inout SeededGenerator
    ) async throws {
        let before = try await Self.state(of: repository)
        let works = (0..<Int.random(in: 1...5, using: &random)).map { _ in Work(&random) }
        let isCancelled = Int.random(in: 0..<8, using: &random) == 0
        do {
            try await repository.transaction(author: author) { store in
                for work in works { try work.run(store) }
                if isCancelled { store.cancel() }
            }.value()
        } catch {
            guard isCancelled else { throw error }
        }
        let after = try await Self.state(of: repository)
        // Writing the same values again is a commit that changed rows.
        let token = try await repository.read { try $0.historyToken().number }.value()
        if token > commits.count { commits.append(Commit(author: author, before: before, after: after)) }
        #expect(before == after || token == commits.count)
    }

    /// Compares the entries with the recorded commits.
    func expect(_ entries: [HistoryEntry]) throws {
        try #require(entries.count == commits.count)
        for (entry, commit) in zip(entries, commits) {
            #expect(entry.extent == .rows && entry.author == commit.author)
            let pages = try IDs(entry, Page.self) { [.integer(Int64($0))] }
            let words = try IDs(entry, Word.self) { [.text($0)] }
            let notes = try IDs(entry, Note.self) { [.integer(Int64($0.values.0)), .text($0.values.1)] }
            for (table, ids) in [("Page", pages), ("Word", words), ("Note", notes)] {
                let (before, after) = (commit.before[table] ?? [:], commit.after[table] ?? [:])
                #expect(ids.inserted == Set(after.keys).subtracting(before.keys))
                #expect(ids.deleted == Set(before.keys).subtracting(after.keys))
                let kept = Set(before.keys).intersection(after.keys)
                #expect(ids.updated.isSubset(of: kept))
                #expect(ids.updated.isSuperset(of: kept.filter { before[$0] != after[$0] }))
            }
        }
    }

    private struct IDs {
        let inserted: Set<[SQLValue]>
        let updated: Set<[SQLValue]>
        let deleted: Set<[SQLValue]>

        init<Item: Entity>(_ entry: HistoryEntry, _ type: Item.Type, _ key: (Item.ID) -> [SQLValue]) throws {
            inserted = Set(try entry.inserted(of: type).map(key))
            updated = Set(try entry.updated(of: type).map(key))
            deleted = Set(try entry.deleted(of: type).map(key))
        }
    }
}

/// One step of a random transaction.
private struct Work: Sendable {
    private let kind: Int
    private let number: Int
    private let text: String
    private let size: Double?

    init(_ random: inout SeededGenerator) {
        kind = Int.random(in: 0..<14, using: &random)
        number = [-1, 0, 1, 2, 3, 4, .max, .min].randomElement(using: &random) ?? 0
        text = TextZoo.random(&random)
        size = [nil, 0, -0.0, 1.5, .infinity, .leastNonzeroMagnitude].randomElement(using: &random) ?? nil
    }

    func run(_ store: WriteTransaction) throws {
        let page = Diary.Page(number: number, text: text)
        switch kind {
        case 0, 1: try store.upsert(page)
        case 2: try store.upsert(Diary.Word(id: text, count: number))
        case 3:
            try store.upsert(page)
            try store.upsert(Diary.Note(page: number, word: text, size: size))
        // Its notes are deleted with it.
        case 4: _ = try? store.delete(Diary.Page.self, id: number)
        case 5: _ = try? store.delete(Diary.Word.self, id: text)
        case 6: try store.execute("UPDATE Page SET text = text || 'x' WHERE number > 1")
        case 7: try store.execute("DELETE FROM Note")
        // These change a key.
        case 8: _ = try? store.execute("UPDATE Word SET id = id || 'y', count = 7 WHERE count = ?", number)
        case 9: _ = try? store.execute("UPDATE OR IGNORE Page SET number = number + 1 WHERE number = ?", number)
        // Stores a row and deletes it again.
        case 10:
            try store.upsert(page)
            _ = try store.execute("DELETE FROM Page WHERE number = ?", number)
        // Is rolled back, while the outer transaction continues.
        case 11:
            _ = try? store.transaction { inner in
                try inner.execute("DELETE FROM Word")
                try inner.upsert(Diary.Word(id: text + "z", count: 1))
                throw RepositoryError.cancelled
            }
        // Fails halfway.
        case 12: _ = try? store.execute("INSERT INTO Page SELECT number + 1, text FROM Page ORDER BY number DESC")
        default: try store.execute("REPLACE INTO Word SELECT id, (count & 255) + 1 FROM Word")
        }
    }
}
