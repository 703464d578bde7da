import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Synchronization
import Testing

/// An entity with a generated key and both managed times.
private struct Stamped: Entity, Equatable {
    var id = 0
    var text: String
    var created = Date.distantPast
    var updated = Date.distantFuture

    static let schema = Schema(
        Column("id", \Stamped.id, .generated), Column("text", \.text, .unique), Column("created", \.created, .created),
        Column("updated", \.updated, .updated), make: Stamped.init)
}

/// A clock that a test sets.
private final class Clock: Sendable {
    private let seconds = Mutex(0.0)
    var now: Date { Date(timeIntervalSinceReferenceDate: seconds.withLock { $0 }) }
    func set(_ time: Double) { seconds.withLock { $0 = time } }
}

private func at(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

/// An entry with its times of creation and change.
private func stamped(_ id: Int, _ text: String, _ created: Double = 10, _ updated: Double = 20) -> Stamped {
    Stamped(id: id, text: text, created: at(created), updated: at(updated))
}

@Suite("Writes that preserve the times of items", .timeLimit(.minutes(10))) struct PreservedTimesTests {
    private func configuration(_ clock: Clock) -> RepositoryConfiguration {
        var configuration = RepositoryConfiguration()
        configuration.now = { clock.now }
        return configuration
    }

    private func withStamped(
        _ kind: StoreKind, _ body: (any Repository, AuthoredRepository, Clock) async throws -> Void
    ) async throws {
        let clock = Clock()
        clock.set(1_000)
        try await withRepository(kind, [Stamped.self], configuration: configuration(clock)) { repository in
            try await body(repository, repository.authored(by: "move", preservingTimes: true), clock)
        }
    }

    @Test("N1 A new item keeps its times, whichever endpoint stores it", arguments: StoreKind.allCases)
    func inserted(kind: StoreKind) async throws {
        try await withStamped(kind) { repository, mover, clock async throws in
            #expect(try await mover.create(stamped(1, "a")).value() == stamped(1, "a"))
            #expect(
                try await mover.create([stamped(2, "b"), stamped(1, "taken")]).value().success == [stamped(2, "b")])
            #expect(try await mover.createAtomically([stamped(3, "c")]).value() == [stamped(3, "c")])
            #expect(try await mover.upsert(stamped(4, "d")).value() == stamped(4, "d"))
            #expect(try await mover.upsert([stamped(5, "e")]).value().success == [stamped(5, "e")])
            #expect(try await mover.upsertAtomically([stamped(6, "f")]).value() == [stamped(6, "f")])
            #expect(try await mover.upsert(stamped(7, "g"), on: [\.text], updating: []).value() == stamped(7, "g"))
            #expect(try await mover.findOrCreate(Stamped.self, id: 8) { stamped($0, "h") }.value() == stamped(8, "h"))
            #expect(try await mover.insert([stamped(9, "i")]).value() == 1)
            #expect(try await mover.insert(Stamped.self) { [stamped(10, "j")] }.value() == 1)
            #expect(try await mover.insertReturningIDs([stamped(11, "k")]).value() == [11])
            try await mover.insert([stamped(12, "l")]).value()
            let source = Signal<Stamped, Never>.sequence([stamped(13, "m"), stamped(14, "n"), stamped(15, "o")])
            #expect(try await mover.insert(from: source, batch: 2).last().value() == 3)
            let pad = ScratchPad(mover)
            try pad.create(stamped(16, "p"))
            try await pad.save().value()
            let stored = try await repository.fetch(Stamped.all.sorted(by: \.id)).value()
            #expect(stored == zip(1...16, "abcdefghijklmnop").map { stamped($0, String($1)) })
            // The clock sets only the times of the write that does not preserve them.
            #expect(try await mover.create(stamped(0, "numbered")).value() == stamped(17, "numbered"))
            let plain = try await repository.create(stamped(0, "plain")).value()
            #expect(plain == stamped(18, "plain", 1_000, 1_000))
            #expect(try await repository.fetch(Stamped.where { $0.id > 16 }.sorted(by: \.id)).value().last == plain)
        }
    }

    @Test("N1 A replaced item gets the times of the new one", arguments: StoreKind.allCases)
    func replaced(kind: StoreKind) async throws {
        try await withStamped(kind) { repository, mover, clock async throws in
            try await repository.insert((1...9).map { stamped($0, "\($0)") }).value()
            @Sendable func changed(_ id: Int) -> Stamped { stamped(id, "new \(id)", Double(id), Double(100 + id)) }
            #expect(try await mover.update(changed(1)).value() == changed(1))
            #expect(try await mover.update([changed(2), changed(99)]).value().success == [changed(2)])
            #expect(try await mover.updateAtomically([changed(3)]).value() == [changed(3)])
            #expect(try await mover.upsert(changed(4)).value() == changed(4))
            #expect(try await mover.upsert([changed(5)]).value().success == [changed(5)])
            #expect(try await mover.upsertAtomically([changed(6)]).value() == [changed(6)])
            let pad = ScratchPad(mover)
            try pad.update(changed(7), from: stamped(7, "7", 1_000, 1_000))
            try await pad.save().value()
            try await mover.transaction { store in _ = try store.update(changed(8)) }.value()
            #expect(try await mover.upsertAtomically([changed(9)]).value() == [changed(9)])
            #expect(try await repository.fetch(Stamped.all.sorted(by: \.id)).value() == (1...9).map(changed))
        }
    }

    @Test("N1 An upsert on a unique set takes only the times that it must update", arguments: StoreKind.allCases)
    func upsertedOnUniqueSet(kind: StoreKind) async throws {
        try await withStamped(kind) { repository, mover, clock async throws in
            try await mover.create(stamped(1, "a")).value()
            let new = stamped(1, "a", 30, 40)
            let untouched = try await mover.upsert(new, on: [\.text], updating: []).value()
            #expect(untouched == stamped(1, "a", 10, 20))
            let touched = try await mover.upsert(new, on: [\.text], updating: [\.text]).value()
            #expect(touched == stamped(1, "a", 10, 40))
            let replaced = try await mover.upsert(new, on: [\.text], updating: [\.text, \.created]).value()
            #expect(replaced == new)
        }
    }

    @Test(
        "N1 Setting properties does not set the time of change, and times are set like other properties",
        arguments: StoreKind.allCases)
    func assigned(kind: StoreKind) async throws {
        try await withStamped(kind) { repository, mover, clock async throws in
            try await mover.insert([stamped(1, "a"), stamped(2, "b")]).value()
            let one = try await mover.update(Stamped.self, id: 1, set: [.set(\.text, to: "c")]).value()
            #expect(one == stamped(1, "c"))
            let set: [Assignment<Stamped>] = [.set(\.created, to: at(3)), .set(\.updated, to: at(4))]
            #expect(try await mover.update(Stamped.self, set: set) { $0.id == 2 }.value() == 1)
            #expect(try await repository.read(Stamped.self, id: 2).value() == stamped(2, "b", 3, 4))
            let ids = try await mover.updateReturningIDs(
                Stamped.self, set: [.set(\.created, to: at(5))]
            ) { $0.id == 2 }.value()
            #expect(ids == [2])
            #expect(try await repository.read(Stamped.self, id: 2).value() == stamped(2, "b", 5, 4))
            await expectFailure(\.isMisuse) { try await repository.update(Stamped.self, id: 2, set: set).value() }
        }
    }

    @Test("N1 Rows by name keep their times, or get the transaction's", arguments: StoreKind.allCases)
    func rows(kind: StoreKind) async throws {
        try await withStamped(kind) { repository, mover, clock async throws in
            let rows: [[String: any Sendable]] = [
                ["text": "a", "created": at(10), "updated": at(20)], ["text": "b", "created": at(30)], ["text": "c"],
            ]
            #expect(try await mover.insert(Stamped.self, rows: rows).value() == 3)
            #expect(
                try await repository.fetch(Stamped.all.sorted(by: \.text)).value() == [
                    stamped(1, "a"), stamped(2, "b", 30, 1_000), stamped(3, "c", 1_000, 1_000),
                ])
        }
    }

    @Test(
        "N1 A body chooses from where on it preserves times; a nested transaction chooses for itself",
        arguments: StoreKind.allCases)
    func body(kind: StoreKind) async throws {
        try await withStamped(kind) { repository, mover, clock async throws in
            try await repository.transaction(author: "sync") { store in
                try store.create(stamped(1, "a"))
                try store.transaction { nested in
                    nested.preservesTimes = true
                    try nested.create(stamped(2, "b"))
                    try nested.transaction { _ = try $0.create(stamped(3, "c")) }
                }
                #expect(!store.preservesTimes)
                try store.create(stamped(4, "d"))
                store.preservesTimes = true
                try store.upsert(stamped(1, "a", 1, 2))
                try store.create(stamped(5, "e"))
            }.value()
            #expect(
                try await repository.fetch(Stamped.all.sorted(by: \.id)).value() == [
                    stamped(1, "a", 1, 2), stamped(2, "b"), stamped(3, "c"), stamped(4, "d", 1_000, 1_000),
                    stamped(5, "e"),
                ])
            // `mover` passes the setting on to bodies, whatever author they name.
            let preserves = try await mover.transaction(author: "sync") { ($0.preservesTimes, $0.author) }.value()
            #expect(preserves == (true, "sync"))
            let inner = try await mover.authored(by: "inner").transaction { ($0.preservesTimes, $0.author) }.value()
            #expect(inner == (true, "inner"))
            #expect(try await repository.transaction { $0.preservesTimes }.value() == false)
        }
    }

    @Test("N1 A time that cannot be stored is refused, and leaves nothing", arguments: StoreKind.allCases)
    func unstorable(kind: StoreKind) async throws {
        try await withStamped(kind) { repository, mover, clock async throws in
            let bad = stamped(1, "a", .nan)
            await expectFailure(\.isEncoding) { try await mover.create(bad).value() }
            await expectFailure(\.isEncoding) { try await mover.insert([bad]).value() }
            await expectFailure(\.isEncoding) { try await mover.upsert(bad).value() }
            #expect(try await repository.count(Stamped.self).value() == 0)
        }
    }

    @Test(
        "N1 A store that is moved as documented has the same items", arguments: StoreKind.allCases, StoreKind.allCases)
    func moved(from: StoreKind, to: StoreKind) async throws {
        try await withStamped(from) { source, _, clock async throws in
            try await source.insert((1...25).map { stamped($0, "\($0)") }).value()
            clock.set(2_000)
            try await source.update(Stamped.self, set: [.set(\.text, to: "changed")]) { $0.id == 7 }.value()
            let items = try await source.fetch(Stamped.all.sorted(by: \.id)).value()
            #expect(items[6] == stamped(7, "changed", 1_000, 2_000))
            clock.set(3_000)
            try await withRepository(to, [Stamped.self], configuration: configuration(clock)) { target async throws in
                let stream = source.stream(Stamped.all.sorted(by: \.id))
                let mover = target.authored(by: "move", preservingTimes: true)
                #expect(try await mover.insert(from: stream, batch: 10).last().value() == 25)
                #expect(try await target.fetch(Stamped.all.sorted(by: \.id)).value() == items)
            }
        }
    }

    @Test("N1 Undo and redo restore the stored times", arguments: StoreKind.local)
    func undone(kind: StoreKind) async throws {
        let clock = Clock()
        clock.set(1_000)
        try await withFolder { folder in
            let repository = try SQLiteRepository(
                kind == .memory ? .inMemory : .file(folder + "/store.sqlite"), entities: Stamped.self,
                configuration: configuration(clock).with(history: .kept(for: .seconds(1_000_000), isUndoable: true)))
            let mover = repository.authored(by: "ann", preservingTimes: true)
            try await mover.create(stamped(1, "a")).value()
            clock.set(2_000)
            try await repository.authored(by: "ann").update(stamped(1, "b")).value()
            clock.set(3_000)
            try await mover.upsert(stamped(1, "c", 5, 6)).value()
            let states = [stamped(1, "a"), stamped(1, "b", 10, 2_000), stamped(1, "c", 5, 6)]
            #expect(try await repository.read(Stamped.self, id: 1).value() == states[2])
            clock.set(4_000)
            for state in [states[1], states[0]] {
                try await repository.undo(author: "ann").value()
                #expect(try await repository.read(Stamped.self, id: 1).value() == state)
            }
            for state in [states[1], states[2]] {
                try await repository.redo(author: "ann").value()
                #expect(try await repository.read(Stamped.self, id: 1).value() == state)
            }
            await closed(repository)
        }
    }

    @Test(
        "N1 Random writes, some of which preserve times, leave the store as a model predicts",
        arguments: StoreKind.allCases)
    func random(kind: StoreKind) async throws {
        try await withStamped(kind) { repository, mover, clock async throws in
            var generator = SeededGenerator(seed: 4)
            var model: [Int: Stamped] = [:]
            for step in 1...120 {
                clock.set(Double(1_000 + step))
                let now = at(Double(1_000 + step))
                let preserves = Bool.random(using: &generator)
                let writer: any Repository = preserves ? mover : repository
                let id = Int.random(in: 1...6, using: &generator)
                let time = Double.random(in: 0...999, using: &generator)
                let item = stamped(id, "\(id) at \(step)", time, time + 1)
                let (old, isNew) = (model[id], model[id] == nil)
                var new = item
                if !preserves { (new.created, new.updated) = (old?.created ?? now, now) }
                switch Int.random(in: 0..<5, using: &generator) {
                case 0 where isNew: #expect(try await writer.create(item).value() == new)
                case 0: #expect(try await writer.update(item).value() == new)
                case 1: #expect(try await writer.upsert([item]).value().success == [new])
                case 2 where isNew: try await writer.insert([item]).value()
                case 2: #expect(try await writer.update([item]).value().success == [new])
                case 3:
                    try await writer.update(Stamped.self, set: [.set(\.text, to: item.text)]) { $0.id == id }.value()
                    (new.created, new.updated) = (old?.created ?? now, preserves ? old?.updated ?? now : now)
                    if isNew { continue }
                default:
                    if !isNew { try await writer.delete(Stamped.self, id: id).value() }
                    model[id] = nil
                    continue
                }
                model[id] = new
            }
            let stored = try await repository.fetch(Stamped.all.sorted(by: \.id)).value()
            #expect(stored == model.values.sorted { $0.id < $1.id })
        }
    }
}
