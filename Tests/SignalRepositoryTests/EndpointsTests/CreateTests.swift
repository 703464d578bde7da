import Foundation
import SignalRepository
import Signals
import Testing

@Suite("create", .timeLimit(.minutes(10))) struct CreateTests {
    @Test("An item is stored unchanged, and only once", arguments: StoreKind.allCases)
    func one(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let title = kind == .postgres ? "Tár\u{301}" : "Tár\0\u{301}"
            let film = Film.numbered(1, title: title, boxOffice: Decimal(string: "-12.3456"), studio: nil)
            let stored = try await repository.create(film).value()
            #expect(stored == film)
            #expect(try await repository.read(Film.self, id: film.id).value() == film)
            await expectFailure(\.isConstraint) { try await repository.create(film).value() }
            #expect(try await repository.count(Film.self).value() == 1)
        }
    }

    @Test(
        "R2 Nothing is stored before a sink attaches, and each attach stores again", arguments: StoreKind.allCases)
    func cold(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let create = repository.create(Film.numbered(1))
            #expect(try await repository.count(Film.self).value() == 0)
            try await create.value()
            await expectFailure(\.isConstraint) { try await create.value() }
            try await repository.delete(Film.self, id: Film.id(1)).value()
            try await create.value()
            #expect(try await repository.count(Film.self).value() == 1)
        }
    }

    @Test("Each of many items succeeds or fails on its own", arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(2)).value()
            var unfit = Film.numbered(3)
            unfit.boxOffice = Decimal(sign: .plus, exponent: -9, significand: 1)
            let films = [Film.numbered(1), .numbered(2), unfit, .numbered(4)]
            let result = try await repository.create(films).value()
            #expect(result.success == [films[0], films[3]])
            #expect(result.failed.map(\.item) == [films[1], films[2]])
            #expect(result.failed.first?.error.isConstraint == true)
            #expect(result.failed.last?.error.isEncoding == true)
            #expect(try await repository.count(Film.self).value() == 3)
        }
    }

    @Test("Many items are stored together or not at all", arguments: StoreKind.allCases)
    func atomically(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...5).map { Film.numbered($0) }
            await expectFailure(\.isConstraint) { try await repository.createAtomically(films + [films[0]]).value() }
            #expect(try await repository.count(Film.self).value() == 0)
            let stored = try await repository.createAtomically(films).value()
            #expect(stored == films)
            #expect(try await repository.fetch(Film.all).value() == films)
        }
    }

    @Test("Inside a transaction the endpoints do the same", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...5).map { Film.numbered($0) }
            let counts = try await repository.transaction { store in
                try store.create(films[0])
                let many = try store.create([films[0], films[1]])
                var counts = [many.success.count, many.failed.count, try store.count(Film.self)]
                #expect(throws: RepositoryError.self) { try store.createAtomically([films[2], films[0]]) }
                counts.append(try store.count(Film.self))
                try store.createAtomically([films[3], films[4]])
                counts.append(try store.count(Film.self))
                return counts
            }.value()
            #expect(counts == [1, 1, 2, 2, 4])
            #expect(try await repository.count(Film.self).value() == 4)
        }
    }
}
