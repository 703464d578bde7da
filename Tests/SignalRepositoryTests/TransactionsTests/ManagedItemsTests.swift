import Foundation
import SignalRepository
import Signals
import Synchronization
import Testing

/// An entity with a generated key and both managed times.
private struct Note: Entity, Equatable {
    var id = 0
    var text: String
    var created = Date.distantPast
    var updated = Date.distantFuture

    static let schema = Schema<Note>(unique: [[\.text]]) {
        Column("id", \.id, .generated)
        Column("text", \.text)
        Column("created", \.created, .created)
        Column("updated", \.updated, .updated)
    } decode: { row in
        try Note(id: row.next(), text: row.next(), created: row.next(), updated: row.next())
    }
}

/// A clock that a test sets.
private final class Clock: Sendable {
    private let seconds = Mutex(0.0)
    var now: Date { Date(timeIntervalSinceReferenceDate: seconds.withLock { $0 }) }
    func set(_ time: Double) { seconds.withLock { $0 = time } }
}

@Suite("Managed keys and times", .timeLimit(.minutes(10))) struct ManagedItemsTests {
    private func withNotes(_ kind: StoreKind, _ body: (any Repository, Clock) async throws -> Void) async throws {
        let clock = Clock()
        var configuration = RepositoryConfiguration()
        configuration.now = { clock.now }
        try await withRepository(kind, [Note.self], configuration: configuration) { try await body($0, clock) }
    }

    private func at(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    @Test("create returns the item with its key and its times", arguments: StoreKind.allCases)
    func created(kind: StoreKind) async throws {
        try await withNotes(kind) { repository, clock in
            clock.set(1)
            let one = try await repository.create(Note(text: "one")).value()
            clock.set(2)
            let two = try await repository.create([Note(text: "two"), Note(id: 40, text: "forty"), Note(text: "x")])
                .value().success
            #expect(one == Note(id: 1, text: "one", created: at(1), updated: at(1)))
            #expect(two.map(\.id) == [2, 40, 41] && two.allSatisfy { $0.created == at(2) && $0.updated == at(2) })
            #expect(try await repository.fetch(Note.all).value() == [one] + two)
            await expectFailure(\.isConstraint) { try await repository.create(one).value() }
        }
    }

    @Test("The key of a deleted item is not used again", arguments: StoreKind.allCases)
    func once(kind: StoreKind) async throws {
        try await withNotes(kind) { repository, _ in
            let one = try await repository.create(Note(text: "one")).value()
            try await repository.delete(one).value()
            let two = try await repository.create(Note(text: "two")).value()
            #expect((one.id, two.id) == (1, 2))
        }
    }

    @Test("A change keeps the time of creation, whatever the item says", arguments: StoreKind.allCases)
    func changed(kind: StoreKind) async throws {
        try await withNotes(kind) { repository, clock in
            clock.set(1)
            var note = try await repository.create(Note(text: "a")).value()
            clock.set(2)
            note.text = "b"
            note.created = at(77)
            note.updated = at(77)
            let updated = try await repository.update(note).value()
            #expect(updated == Note(id: 1, text: "b", created: at(1), updated: at(2)))
            clock.set(3)
            let upserted = try await repository.upsert(note).value()
            #expect(upserted == Note(id: 1, text: "b", created: at(1), updated: at(3)))
            clock.set(4)
            let patched = try await repository.update(Note.self, id: 1, set: [.set(\.text, to: "c")]).value()
            #expect(patched == Note(id: 1, text: "c", created: at(1), updated: at(4)))
            clock.set(5)
            let set = try await repository.update(Note.self, set: [.set(\.updated, to: at(9))]) { _ in .true }.value()
            #expect(set == 1)
            #expect(try await repository.read(Note.self, id: 1).value().updated == at(9))
            #expect(try await repository.fetch(Note.all).value().count == 1)
            await expectFailure(\.isNotFound) { try await repository.update(Note(text: "nobody")).value() }
        }
    }

    @Test(
        "An upsert without an id creates an item; on a unique set it finds the existing one",
        arguments: StoreKind.allCases)
    func upserted(kind: StoreKind) async throws {
        try await withNotes(kind) { repository, clock in
            clock.set(1)
            let one = try await repository.upsert(Note(text: "one")).value()
            #expect(one == Note(id: 1, text: "one", created: at(1), updated: at(1)))
            clock.set(2)
            let same = try await repository.upsert(Note(text: "one"), on: [\.text], updating: []).value()
            #expect(same == one)
            let touched = try await repository.upsert(Note(text: "one"), on: [\.text], updating: [\.text]).value()
            #expect(touched == Note(id: 1, text: "one", created: at(1), updated: at(2)))
            let other = try await repository.upsert(Note(text: "two"), on: [\.text], updating: []).value()
            #expect(other.text == "two" && other.id > 1 && other.created == at(2))
        }
    }

    @Test("A batch returns the generated keys; rows by name may leave them out", arguments: StoreKind.allCases)
    func batch(kind: StoreKind) async throws {
        try await withNotes(kind) { repository, clock in
            clock.set(1)
            let notes = (0..<1_000).map { Note(text: "\($0)") }
            let ids = try await repository.insertReturningIDs(notes).value()
            #expect(ids == Array(1...1_000))
            let rows: [[String: any Sendable]] = [["text": "p"], ["text": "q", "id": 5_000]]
            #expect(try await repository.insertReturningIDs(Note.self, rows: rows).value() == [1_001, 5_000])
            let stored = try await repository.fetch(Note.all).value()
            #expect(stored.count == 1_002 && stored.allSatisfy { $0.created == at(1) && $0.updated == at(1) })
            #expect(stored.prefix(1_000).map(\.text) == notes.map(\.text))
        }
    }

    @Test("All writes of a transaction have one time", arguments: StoreKind.allCases)
    func oneTime(kind: StoreKind) async throws {
        try await withNotes(kind) { repository, clock in
            try await repository.transaction { store in
                clock.set(1)
                try store.create(Note(text: "a"))
                clock.set(2)
                try store.transaction { nested in _ = try nested.create(Note(text: "b")) }
            }.value()
            #expect(try await repository.fetch(Note.all).value().map(\.created) == [at(1), at(1)])
        }
    }

    @Test("An update keeps the time of creation, even in the last column", arguments: StoreKind.allCases)
    func createdLast(kind: StoreKind) async throws {
        let clock = Clock()
        var configuration = RepositoryConfiguration()
        configuration.now = { clock.now }
        try await withRepository(kind, [Dated.self, Bare.self], configuration: configuration) { repository in
            clock.set(1)
            var dated = try await repository.create(Dated(id: 1, text: "a", created: at(7))).value()
            let bare = try await repository.create(Bare(id: 1, created: at(7))).value()
            clock.set(2)
            dated.text = "b"
            dated.created = at(9)
            let expected = Dated(id: 1, text: "b", created: at(1))
            #expect(try await repository.update(dated).value() == expected)
            #expect(try await repository.updateAtomically([dated]).value() == [expected])
            #expect(try await repository.upsert(dated).value() == expected)
            #expect(try await repository.update(Bare(id: 1, created: at(9))).value() == bare)
            #expect(try await repository.upsert(Bare(id: 1, created: at(9))).value() == bare)
        }
    }

    @Test("Swapped times are detected, though the store sets both", arguments: StoreKind.allCases)
    func exchanged(kind: StoreKind) async throws {
        try await withRepository(kind, [Exchanging.self]) { repository in
            let items = [0.0, 1].map { Exchanging(id: Int($0), created: at(1), updated: at(1 + $0)) }
            await expectFailure(\.isMisuse) { try await repository.insert(items).value() }
            await expectFailure(\.isMisuse) { try await repository.create(items[1]).value() }
        }
    }

    @Test("AUTOINCREMENT is found however it is spelled, and only where it applies")
    func spelled() async throws {
        let folder = try TemporaryFolder()
        let step = Migration("own") { store in
            try store.execute(
                "CREATE TABLE Own (id integer  primary key\n autoincrement NOT NULL, text TEXT NOT NULL) STRICT")
        }
        let first = try SQLiteRepository(.file(folder.file()), entities: [Texted.self])
        await closed(first)
        await closed(try SQLiteRepository(.file(folder.file()), entities: [Texted.self, Own.self], migrations: [step]))
        await closed(try SQLiteRepository(.file(folder.file()), entities: [Texted.self, Own.self], migrations: [step]))
    }

    @Test("A table whose keys are not generated is named as a difference")
    func difference() async throws {
        let folder = try TemporaryFolder()
        await closed(try SQLiteRepository(.file(folder.file()), entities: [Plain.self]))
        do {
            let repository = try SQLiteRepository(.file(folder.file()), entities: [Numbered.self])
            Issue.record("It was opened.")
            await closed(repository)
        } catch {
            #expect("\(error)".contains("Plain.id is declared as generated and is not in the file"))
        }
    }

    @Test("Only a key of one column is generated")
    func declaration() throws {
        do {
            _ = try SQLiteRepository(.inMemory, entities: [Misplaced.self])
            Issue.record("It was opened.")
        } catch {
            #expect("\(error)".contains("Misplaced.other is generated, but only a key of one column can be generated"))
        }
        do {
            _ = try SQLiteRepository(.inMemory, entities: [Narrow.self])
            Issue.record("It was opened.")
        } catch {
            #expect("\(error)".contains("Narrow.id is generated, but its type does not have 64 bits"))
        }
    }

    @Test("An item that cannot be decoded with its key leaves nothing behind", arguments: StoreKind.allCases)
    func unmakeable(kind: StoreKind) async throws {
        try await withRepository(kind, [Even.self]) { repository async throws in
            let items = (1...3).map { Even(id: 0, text: $0 == 2 ? "odd" : "even") }
            let result = try await repository.create(items).value()
            #expect(result.failed.count == 1 && result.success.count == 2)
            #expect(try await repository.fetch(Even.all).value().count == 2)
            await expectFailure(\.isDecoding) { try await repository.create(items[1]).value() }
            #expect(try await repository.count(Even.self).value() == 2)
        }
    }
}

private struct Plain: Entity {
    var id: Int
    static let schema = Schema(Column("id", \Plain.id), make: Plain.init)
}

private struct Numbered: Entity {
    var id: Int
    static let entityName = "Plain"
    static let schema = Schema(Column("id", \Numbered.id, .generated), make: Numbered.init)
}

private struct Narrow: Entity {
    var id: Int32
    static let schema = Schema(Column("id", \Narrow.id, .generated), make: Narrow.init)
}

/// An item that cannot be decoded with the text "odd" once it has a key.
private struct Even: Entity, Equatable {
    var id: Int
    var text: String
    static let schema = Schema<Even> {
        Column("id", \.id, .generated)
        Column("text", \.text)
    } decode: { row in
        let (id, text): (Int, String) = (try row.next(), try row.next())
        if text == "odd", id > 0 { throw Odd() }
        return Even(id: id, text: text)
    }

    struct Odd: Error {}
}

private struct Misplaced: Entity {
    var id: Int
    var other: Int
    static let schema = Schema(
        Column("id", \Misplaced.id), Column("other", \.other, .generated), make: Misplaced.init)
}

private struct Dated: Entity, Equatable {
    let id: Int
    var text: String
    var created: Date
    static let schema = Schema(
        Column("id", \Dated.id), Column("text", \.text), Column("created", \.created, .created), make: Dated.init)
}

private struct Bare: Entity, Equatable {
    let id: Int
    var created: Date
    static let schema = Schema(Column("id", \Bare.id), Column("created", \.created, .created), make: Bare.init)
}

private struct Exchanging: Entity {
    let id: Int
    var created: Date
    var updated: Date
    static let schema = Schema(
        Column("id", \Exchanging.id), Column("created", \.created, .created), Column("updated", \.updated, .updated),
        make: { Exchanging(id: $0, created: $2, updated: $1) })
}

private struct Texted: Entity {
    let id: Int
    var text: String
    static let schema = Schema(
        Column("id", \Texted.id), Column("text", \.text, .default(" PRIMARY KEY AUTOINCREMENT")), make: Texted.init)
}

private struct Own: Entity {
    var id: Int
    var text: String
    static let schema = Schema(Column("id", \Own.id, .generated), Column("text", \.text), make: Own.init)
}
