import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("findOrCreate", .timeLimit(.minutes(10))) struct FindOrCreateTests {
    private static func made(_ id: String) -> Entry { Entry(id: id, text: "new", uses: 0) }

    @Test("Existing items are found, and missing ones are made, once for each id", arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        try await withRepository(kind, [Entry.self]) { repository in
            let known = TextZoo.texts(kind).enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
            try await repository.insert(known.map { Entry(id: $0, text: "old", uses: 1) }).value()
            let calls = ReceivedTexts()
            let ids = TextZoo.texts(kind) + TextZoo.texts(kind).reversed()
            let terms = try await repository.findOrCreate(Entry.self, ids: ids) { id in
                calls.append(id)
                return Self.made(id)
            }.value()
            #expect(terms.map(\.id).isStored(like: ids))
            let (isKnown, made) = (Set(known.map(ExactText.init)), Set(calls.all.map(ExactText.init)))
            #expect(terms.allSatisfy { ($0.text == "old") == isKnown.contains(ExactText($0.id)) })
            #expect(made == Set(ids.map(ExactText.init)).subtracting(isKnown) && calls.all.count == made.count)
            #expect(try await repository.count(Entry.self).value() == TextZoo.texts(kind).count)
        }
    }

    @Test("No ids, one, and more than a thousand", arguments: StoreKind.allCases)
    func counts(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            for count in [0, 1, 1_000, 1_500] {
                let ids = (0..<count).map { Film.id($0) }
                let films = try await repository.findOrCreate(Film.self, ids: ids) { id in
                    Film(id: id, title: "t", releaseDate: Film.numbered(1).releaseDate, boxOffice: 0, studio: nil)
                }.value()
                #expect(films.map(\.id) == ids)
                #expect(try await repository.count(Film.self).value() == count)
            }
            let one = try await repository.findOrCreate(Film.self, id: Film.id(7)) { _ in Film.numbered(8) }.value()
            #expect(one.title == "t")
        }
    }

    @Test("An item with another id is refused, and nothing is kept", arguments: StoreKind.allCases)
    func refused(kind: StoreKind) async throws {
        try await withRepository(kind, [Entry.self]) { repository in
            let isMisuse: (RepositoryError) -> Bool = { if case .misuse = $0 { true } else { false } }
            await expectFailure(isMisuse) {
                try await repository.findOrCreate(Entry.self, id: "a") { _ in Self.made("b") }.value()
            }
            // The ids are equal in Swift, but different keys in the store.
            await expectFailure(isMisuse) {
                try await repository.findOrCreate(Entry.self, ids: ["x", "e\u{301}"]) { id in
                    Self.made(id == "x" ? id : "\u{e9}")
                }.value()
            }
            let count = try await repository.count(Entry.self).value()
            #expect(count == 0)
        }
    }
}
