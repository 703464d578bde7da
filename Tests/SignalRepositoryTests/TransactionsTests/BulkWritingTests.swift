import Foundation
import SignalRepository
import Signals
import Testing

@Suite("Many items at once")
struct BulkWritingTests {
    /// A guest with a unique name.
    private struct Guest: Entity, Equatable, Sendable {
        let id: Int
        var name: String
        var note: String?
        static let schema = Schema(
            Column("id", \Guest.id), Column("name", \.name, .unique), Column("note", \.note), make: Guest.init)
    }

    private static func guests(_ count: Int) -> [Guest] {
        (0..<count).map { Guest(id: $0, name: "guest \($0)", note: $0.isMultiple(of: 3) ? nil : "é\($0)") }
    }

    @Test(
        "Failed items are reported with their index and error, and the others are stored",
        arguments: StoreKind.allCases, [1, 2, 3, 64, 65, 512, 513, 1_100])
    func independently(kind: StoreKind, count: Int) async throws {
        for batch in [1, 7, 100, 100_000] {
            try await withRepository(kind, [Guest.self]) { repository in
                let taken = Guest(id: -1, name: "taken", note: nil)
                try await repository.create(taken).value()
                var guests = Self.guests(count)
                let refused = stride(from: batch / 2, to: count, by: batch).map { $0 }
                for index in refused { guests[index].name = "taken" }
                for verb in [Repository.create, Repository.upsert] as [(any Repository) -> ([Guest]) -> Outcome] {
                    let result = try await verb(repository)(guests).value()
                    #expect(result.failed.map(\.item.id) == refused)
                    #expect(result.failed.allSatisfy { $0.error.isConstraint && $0.error.item?.index == $0.item.id })
                    let others = guests.filter { $0.name != "taken" }
                    #expect(result.success == others)
                    let stored = try await repository.fetch(Guest.all.sorted(by: \.id)).value()
                    #expect(stored == [taken] + others)
                    try await repository.delete(Guest.self) { $0.id >= 0 }.value()
                }
            }
        }
    }

    @Test(
        "Changing or deleting a missing item independently fails with .notFound", arguments: StoreKind.allCases,
        [1, 2, 33, 257, 1_000])
    func changes(kind: StoreKind, count: Int) async throws {
        try await withRepository(kind, [Guest.self]) { repository in
            let guests = Self.guests(count)
            let (missing, there) = (guests.filter { $0.id % 5 == 2 }, guests.filter { $0.id % 5 != 2 })
            try await repository.insert(there).value()
            var changed = guests
            for index in changed.indices { changed[index].note = "changed" }
            if count > 30 { changed[20].name = "guest 25" }
            let updated = try await repository.update(changed).value()
            let refused = count > 30 ? [20] : []
            #expect(updated.failed.map(\.item.id) == (missing.map(\.id) + refused).sorted())
            #expect(updated.failed.allSatisfy { $0.item.id == 20 ? $0.error.isConstraint : $0.error.isNotFound })
            let stored = try await repository.fetch(Guest.all.sorted(by: \.id)).value()
            #expect(
                stored
                    == there.map {
                        Guest(id: $0.id, name: $0.name, note: $0.id == 20 && count > 30 ? $0.note : "changed")
                    })
            let deleted = try await repository.delete(guests.map { $0 } + guests.prefix(1)).value()
            #expect(deleted.success.map(\.id) == there.map(\.id))
            #expect(deleted.failed.map(\.item.id) == missing.map(\.id) + [0])
            #expect(deleted.failed.allSatisfy { $0.error.isNotFound })
            let ids = try await repository.delete(Guest.self, ids: guests.map(\.id)).value()
            #expect(ids.success.isEmpty && ids.failed.count == count)
            let left = try await repository.count(Guest.self).value()
            #expect(left == 0)
        }
    }

    private typealias Outcome = Signal<BatchResult<Guest, Guest>, RepositoryError>

    @Test("An item that occurs twice is stored as it occurs last", arguments: StoreKind.allCases)
    func twice(kind: StoreKind) async throws {
        try await withRepository(kind, [Guest.self]) { repository in
            let guests = Self.guests(300) + Self.guests(300).map { Guest(id: $0.id, name: $0.name, note: "again") }
            let result = try await repository.upsert(guests).value()
            #expect(result.success == guests && result.failed.isEmpty)
            let stored = try await repository.fetch(Guest.all.sorted(by: \.id)).value()
            #expect(stored == Array(guests.suffix(300)))
            let created = try await repository.create(guests).value()
            #expect(created.success.isEmpty && created.failed.count == 600)
        }
    }

    @Test(
        "An all-or-nothing insert names the first failed item, and stores nothing", arguments: StoreKind.allCases,
        [1, 8, 9, 1_000, 25_000])
    func whole(kind: StoreKind, count: Int) async throws {
        try await withRepository(kind, [Guest.self]) { repository in
            for place in Set([0, count / 2, count - 1]) {
                var guests = Self.guests(count)
                guests.append(Guest(id: count, name: guests[place].name, note: nil))
                guests.append(Guest(id: -1, name: guests[place].name, note: nil))
                let refused = guests
                await expectFailure({ $0.isConstraint && $0.item?.index == count && $0.item?.id == "\(count)" }) {
                    try await repository.insert(refused).value()
                }
                let stored = try await repository.count(Guest.self).value()
                #expect(stored == 0)
            }
            let inserted = try await repository.insert(Self.guests(count)).value()
            let stored = try await repository.fetch(Guest.all.sorted(by: \.id)).value()
            #expect(inserted == count && stored == Self.guests(count))
        }
    }

    @Test("The sequence of an insert may query the store between two items", arguments: StoreKind.allCases)
    func between(kind: StoreKind) async throws {
        try await withRepository(kind, [Guest.self]) { repository in
            let notes = Array(repeating: String(repeating: "x", count: 1_000), count: 500)
            let counts = try await repository.transaction { store in
                var counts: [Int] = []
                let guests = notes.indices.lazy.map { index -> Guest in
                    if index.isMultiple(of: 100), let count = try? store.count(Guest.self) { counts.append(count) }
                    return Guest(id: index, name: "\(index)", note: notes[index])
                }
                try store.insert(guests)
                return counts
            }.value()
            #expect(counts.count == 5 && counts == counts.sorted())
            let stored = try await repository.fetch(Guest.all.sorted(by: \.id)).value()
            #expect(stored.map(\.id) == Array(0..<500) && stored.allSatisfy { $0.note == notes[0] })
        }
    }
}
