import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("read", .timeLimit(.minutes(10))) struct ReadTests {
    @Test("An item is found by its id", arguments: StoreKind.allCases)
    func one(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...3).map { Film.numbered($0, studio: $0 == 2 ? "A" : nil) }
            try await repository.insert(films).value()
            #expect(try await repository.read(Film.self, id: Film.id(2)).value() == films[1])
            await expectFailure(\.isNotFound) { try await repository.read(Film.self, id: Film.id(9)).value() }
        }
    }

    @Test("Each of many ids is found or reported", arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...3).map { Film.numbered($0) }
            try await repository.insert(films).value()
            let ids = [3, 9, 1].map(Film.id)
            let result = try await repository.read(Film.self, ids: ids).value()
            #expect(result.success == [films[2], films[0]])
            #expect(result.failed.map(\.item) == [Film.id(9)])
            await expectFailure(\.isNotFound) { try await repository.readAtomically(Film.self, ids: ids).value() }
            let all = try await repository.readAtomically(Film.self, ids: [ids[2], ids[0]]).value()
            #expect(all == [films[0], films[2]])
        }
    }

    @Test("Inside a transaction the endpoints do the same, and see earlier writes", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let film = Film.numbered(1)
            let seen = try await repository.transaction { store in
                #expect(try store.find(Film.self, id: film.id) == nil)
                try store.create(film)
                #expect(try store.read(Film.self, ids: [film.id, Film.id(2)]).failed.count == 1)
                #expect(try store.readAtomically(Film.self, ids: [film.id]) == [film])
                return try store.read(Film.self, id: film.id)
            }.value()
            #expect(seen == film)
            let again = try await repository.read { store in try store.find(Film.self, id: film.id) }.value()
            #expect(again == film)
        }
    }

    @Test("A read sees one state of the store, despite concurrent writes", arguments: StoreKind.allCases)
    func oneState(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let written = Gate()
            let isFile = kind == .file
            let counts = repository.read { store in
                let before = try store.count(Film.self)
                if isFile {
                    repository.create(Film.numbered(1)).sink(onValue: { _ in written.open() }, onCompletion: { _ in })
                        .detach()
                    written.wait()
                }
                return [before, try store.count(Film.self)]
            }
            let seen = try await counts.value()
            #expect(seen == [0, 0])
        }
    }

    @Test("An error that a body throws arrives as a typed error", arguments: StoreKind.allCases)
    func thrown(kind: StoreKind) async throws {
        struct Mine: Error {}
        try await withRepository(kind) { repository in
            let known: Signal<Int, RepositoryError> = repository.read { _ in
                throw RepositoryError.tooBig(detail: "a film")
            }
            await expectFailure(\.isTooBig) { try await known.value() }
            let failing: Signal<Int, RepositoryError> = repository.read { _ in throw Mine() }
            await expectFailure({ if case .bodyThrew(let error) = $0 { error.error is Mine } else { false } }) {
                try await failing.value()
            }
        }
    }

    @Test("A stored value that the type cannot hold is a decoding error", arguments: StoreKind.allCases)
    func decoding(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            var random = SeededGenerator(seed: 1)
            try await repository.create(Measure.random(1, &random)).value()
            try await repository.transaction { try $0.execute(#"UPDATE "Measure" SET small = 1000"#) }.value()
            await expectFailure(\.isDecoding) { try await repository.read(Measure.self, id: 1).value() }
            await expectFailure(\.isDecoding) { try await repository.fetch(Measure.all).value() }
        }
    }
}
