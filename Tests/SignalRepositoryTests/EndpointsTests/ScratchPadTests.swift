import Foundation
import SignalRepository
import Signals
import Testing

// The tests run one after the other, because two of them wait for the next write of the same entity.
@Suite("A scratch pad", .serialized, .timeLimit(.minutes(10))) struct ScratchPadTests {
    private static func isConflict(_ ids: Int...) -> (RepositoryError) -> Bool {
        { error in
            guard case .conflict(let items) = error else { return false }
            return items.map(\.id) == ids.map { "\(Film.id($0))" }
        }
    }

    @Test("Staged changes are saved together, in one commit", arguments: StoreKind.allCases)
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

    @Test("New items whose ids the store generates are all stored", arguments: StoreKind.allCases)
    func ungiven(kind: StoreKind) async throws {
        try await withRepository(kind, [Numbered.self]) { repository in
            let pad = ScratchPad(repository)
            for text in ["a", "b", "c"] { try pad.create(Numbered(id: 0, text: text)) }
            try await pad.save().value()
            let stored = try await repository.fetch(Numbered.all.sorted(by: \.id)).value()
            #expect(stored == [Numbered(id: 1, text: "a"), Numbered(id: 2, text: "b"), Numbered(id: 3, text: "c")])
        }
    }

    @Test("Discarded changes are not saved", arguments: StoreKind.allCases)
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
            // Another writer changes one film, deletes one, changes the one to be deleted, and takes the new id.
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

    @Test("Two saves at once, and one without demand, store everything once", arguments: StoreKind.allCases)
    func once(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let pad = ScratchPad(repository)
            try pad.create(Film.numbered(1))
            let (first, second) = (pad.save().record(), pad.save().record())
            #expect(await first.end() == .finished)
            #expect(await second.end() == .finished)
            try pad.create(Film.numbered(2))
            let untaken = pad.save().map { _ in 0 }.record(demand: .none)
            // This transaction runs behind the save on the writer's queue.
            #expect(try await repository.transaction { store in try store.count(Film.self) }.value() == 2)
            #expect(pad.isEmpty)
            untaken.cancel()
            try await pad.save().value()
            #expect(try await repository.count(Film.self).value() == 2)
        }
    }

    @Test("A column whose encoding differs each time is not a conflict by itself", arguments: StoreKind.allCases)
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

    /// Saves the pad, and stages a change after the save has begun and before it commits.
    private func save(_ pad: ScratchPad, meanwhile stage: @escaping @Sendable () throws -> Void) async throws {
        Watched.meanwhile.withLock { $0 = { #expect(throws: Never.self) { try stage() } } }
        try await pad.save(overwriting: false).value()
        #expect(Watched.meanwhile.withLock { $0 == nil })
    }

    @Test("A change that is staged during a save changes the item as that save stores it")
    func meanwhile() async throws {
        for kind in StoreKind.allCases {
            try await withRepository(kind, [Watched.self]) { repository in
                let pad = ScratchPad(repository)
                let items = (1...3).map {
                    Watched(id: 1, text: "\($0)", tags: ["a", "b", "c", "d"], changed: .distantPast)
                }
                func texts() async throws -> [String] {
                    try await repository.fetch(Watched.all).value().map(\.text)
                }
                try pad.create(items[0])
                try await save(pad) { try pad.delete(items[0]) }
                #expect(try await texts() == ["1"] && !pad.isEmpty)
                try await pad.save().value()
                #expect(try await texts() == [] && pad.isEmpty)
                try pad.create(items[0])
                try await save(pad) { try pad.update(items[1], from: items[0]) }
                #expect(try await texts() == ["1"] && !pad.isEmpty)
                try await save(pad) { try pad.update(items[2], from: items[1]) }
                #expect(try await texts() == ["2"] && !pad.isEmpty)
                try await pad.save().value()
                #expect(try await texts() == ["3"] && pad.isEmpty)
                let stored = try await repository.read(Watched.self, id: 1).value()
                try pad.delete(stored)
                try await save(pad) { try pad.create(items[0]) }
                #expect(try await texts() == [] && !pad.isEmpty)
                try await pad.save().value()
                #expect(try await texts() == ["1"] && pad.isEmpty)
            }
        }
    }

    @Test("A new item that is deleted from the pad after a failed save is not saved")
    func meanwhileFailing() async throws {
        try await withRepository(.memory, [Watched.self]) { repository in
            let theirs = Watched(id: 1, text: "theirs", tags: [], changed: .distantPast)
            try await repository.create(theirs).value()
            let pad = ScratchPad(repository)
            let (ours, other) = (Watched(id: 1, text: "ours", tags: [], changed: .distantPast), Film.numbered(1))
            try pad.create(ours)
            let failed = pad.save().record()
            _ = await failed.end()
            #expect(failed.values.isEmpty && !pad.isEmpty)
            try pad.delete(ours)
            #expect(pad.isEmpty)
            try await pad.save().value()
            #expect(pad.isEmpty)
            #expect(try await repository.fetch(Watched.all).value().map(\.text) == ["theirs"])
            #expect(try pad.item(Film.self, id: other.id) == nil)
        }
    }

    @Test("An array in another order is a conflict, and a set is not", arguments: StoreKind.allCases)
    func arrays(kind: StoreKind) async throws {
        try await withRepository(kind, [Tracks.self]) { repository in
            let tracks = Tracks(id: 1, order: [1, 2, 3], moods: ["calm", "loud", "odd", "slow"])
            try await repository.create(tracks).value()
            let pad = ScratchPad(repository)
            var ours = tracks
            ours.moods.insert("new")
            try pad.update(ours, from: tracks)
            try await pad.save().value()
            var theirs = ours
            theirs.order = [3, 2, 1]
            try await repository.update(theirs).value()
            try pad.update(tracks, from: ours)
            await expectFailure({ if case .conflict = $0 { true } else { false } }) { try await pad.save().value() }
        }
    }

    @Test("A failure keeps everything staged, and texts that are equal only in Swift conflict")
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

/// An entity that calls a closure when it is written, and has a managed column.
private struct Watched: Entity, Equatable {
    let id: Int
    var text: String
    var tags: Set<String>
    var changed: Date
    /// The closure to call once, when a text is next written.
    static let meanwhile = Lock<(@Sendable () -> Void)?>(nil)
    static let schema = Schema(
        Column("id", \Watched.id),
        Column(
            "text", \.text,
            encode: { (text: String) in
                meanwhile.withLock { $0.take() }?()
                return text
            }, decode: { (text: String) in text }),
        Column("tags", json: \.tags), Column("changed", \.changed, .updated), make: Watched.init)
}

private struct Numbered: Entity, Equatable {
    let id: Int
    var text: String
    static let schema = Schema(
        Column("id", \Numbered.id, .generated), Column("text", \.text), make: Numbered.init)
}

private struct Tracks: Entity, Equatable {
    let id: Int
    var order: [Int]
    var moods: Set<String>
    static let schema = Schema(
        Column("id", \Tracks.id), Column("order", json: \.order), Column("moods", json: \.moods), make: Tracks.init)
}
