import Foundation
import SignalRepository
import Signals
import Testing

@Suite("A scratch pad", .timeLimit(.minutes(10))) struct ScratchPadTests {
    private static func isConflict(_ ids: Int...) -> (RepositoryError) -> Bool {
        { error in
            guard case .conflict(let items) = error else { return false }
            return items.map(\.id) == ids.map { "\(Film.id($0))" }
        }
    }

    @Test("What is staged is saved together, and shows in one commit", arguments: StoreKind.allCases)
    func saved(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...3).map { Film.numbered($0) }
            try await repository.insert(films).value()
            let titles = repository.fetchSubscription(Film.all.sorted(by: \.title)).map { $0.map(\.title) }.record()
            #expect(await titles.values(1) == [["Film 1", "Film 2", "Film 3"]])
            let pad = ScratchPad(repository, author: "detail")
            var edited = films[0]
            edited.title = "A"
            try pad.update(edited, from: films[0])
            edited.title = "B"
            try pad.update(edited, from: edited)
            try pad.delete(films[1])
            try pad.create(Film.numbered(4))
            #expect(try pad.item(Film.self, id: edited.id) == edited)
            #expect(try pad.item(Film.self, id: Film.id(2)) == nil)
            #expect(try await repository.fetch(Film.all).value() == films)
            try await pad.save().value()
            #expect(pad.isEmpty)
            #expect(await titles.values(2).last == ["B", "Film 3", "Film 4"])
            #expect(try await repository.fetch(Film.all).value() == [edited, films[2], Film.numbered(4)])
            titles.cancel()
        }
    }

    @Test("What is dropped is not saved", arguments: StoreKind.allCases)
    func dropped(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let pad = ScratchPad(repository)
            try pad.create(Film.numbered(1))
            pad.discard()
            #expect(pad.isEmpty)
            try pad.create(Film.numbered(2))
            try pad.delete(Film.numbered(2))
            #expect(pad.isEmpty)
            try await pad.save().value()
            #expect(try await repository.count(Film.self).value() == 0)
        }
    }

    @Test("Conflicts are all reported, nothing is stored, and everything stays staged", arguments: StoreKind.allCases)
    func conflicts(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...4).map { Film.numbered($0) }
            try await repository.insert(films).value()
            let pad = ScratchPad(repository)
            for film in films.prefix(3) {
                var edited = film
                edited.studio = "ours"
                try pad.update(edited, from: film)
            }
            try pad.delete(films[3])
            try pad.create(Film.numbered(5))
            // Somebody else changes one, deletes one, changes what is to be deleted, and takes the new id.
            _ = try await repository.update(Film.self, id: Film.id(1), set: [.set(\.studio, to: "theirs")]).value()
            try await repository.delete(Film.self, id: Film.id(2)).value()
            _ = try await repository.update(Film.self, id: Film.id(4), set: [.set(\.title, to: "theirs")]).value()
            try await repository.create(Film.numbered(5, title: "theirs")).value()
            let before = try await repository.fetch(Film.all.sorted(by: \.id)).value()
            await expectFailure(Self.isConflict(1, 2, 4, 5)) { try await pad.save().value() }
            #expect(try await repository.fetch(Film.all.sorted(by: \.id)).value() == before)
            #expect(!pad.isEmpty)
            try await pad.save(overwriting: true).value()
            let after = try await repository.fetch(Film.all.sorted(by: \.id)).value()
            #expect(after.map(\.id) == [1, 2, 3, 5].map { Film.id($0) })
            #expect(after.prefix(3).allSatisfy { $0.studio == "ours" } && after.last == Film.numbered(5))
            #expect(pad.isEmpty)
        }
    }

    @Test("Two saves at once, and one whose value nobody takes, store everything once", arguments: StoreKind.allCases)
    func once(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let pad = ScratchPad(repository)
            try pad.create(Film.numbered(1))
            let (first, second) = (pad.save().record(), pad.save().record())
            #expect(await first.end() == .finished)
            #expect(await second.end() == .finished)
            try pad.create(Film.numbered(2))
            let untaken = pad.save().map { _ in 0 }.record(demand: .none)
            // Behind it on the writer's queue.
            #expect(try await repository.transaction { store in try store.count(Film.self) }.value() == 2)
            #expect(pad.isEmpty)
            untaken.cancel()
            try await pad.save().value()
            #expect(try await repository.count(Film.self).value() == 2)
        }
    }

    @Test("A column that is encoded anew each time is no conflict by that", arguments: StoreKind.allCases)
    func salted(kind: StoreKind) async throws {
        try await withRepository(kind, [Salted.self]) { repository in
            let salted = Salted(id: 1, secret: "a", tags: ["x", "y", "z"])
            try await repository.create(salted).value()
            let pad = ScratchPad(repository)
            try pad.update(Salted(id: 1, secret: "b", tags: []), from: salted)
            try await pad.save().value()
            #expect(try await repository.read(Salted.self, id: 1).value().secret == "b")
            try pad.delete(salted)
            await expectFailure({ if case .conflict = $0 { true } else { false } }) { try await pad.save().value() }
        }
    }

    @Test("A failure keeps everything staged, and texts that only Swift takes for equal conflict")
    func failures() async throws {
        try await withRepository(.memory, [Entry.self]) { repository in
            let term = Entry(id: "a", text: "\u{e9}", uses: 1)
            try await repository.create(term).value()
            let pad = ScratchPad(repository)
            try pad.update(Entry(id: "a", text: "x", uses: 2), from: Entry(id: "a", text: "e\u{301}", uses: 1))
            await expectFailure({ if case .conflict = $0 { true } else { false } }) { try await pad.save().value() }
            pad.discard()
            await expectFailure(\.isMisuse) { try pad.update(Entry(id: "b", text: "", uses: 0), from: term) }
            try pad.update(Entry(id: "a", text: "x", uses: 2), from: term)
            await closed(repository)
            await expectFailure(\.isClosed) { try await pad.save().value() }
            #expect(!pad.isEmpty)
        }
    }
}

private struct Salted: Entity, Equatable {
    let id: Int
    var secret: String
    var tags: Set<String>
    static let schema = Schema(
        Column("id", \Salted.id),
        Column(
            "secret", \.secret, encode: { "\($0)|\(UUID())" },
            decode: { (text: String) in String(text.prefix { $0 != "|" }) }),
        Column("tags", json: \.tags), make: Salted.init)
}
