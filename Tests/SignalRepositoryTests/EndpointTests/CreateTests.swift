import Foundation
import SignalRepository
import Signals
import Testing

@Suite("create", .timeLimit(.minutes(10))) struct CreateTests {
    @Test("One item is stored as it is, and only once", arguments: StoreKind.allCases)
    func one(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let film = Film.numbered(1, title: "Tár\0\u{301}", boxOffice: Decimal(string: "-12.3456"), studio: nil)
            let stored = try await repository.create(film).first()
            #expect(stored == film)
            #expect(try await repository.read(Film.self, id: film.id).first() == film)
            await expectFailure(\.isConstraint) { try await repository.create(film).first() }
            #expect(try await repository.count(Film.self).first() == 1)
        }
    }

    @Test(
        "R2 Nothing is stored before a sink attaches, and each attach stores once more", arguments: StoreKind.allCases)
    func cold(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let create = repository.create(Film.numbered(1))
            #expect(try await repository.count(Film.self).first() == 0)
            _ = try await create.first()
            await expectFailure(\.isConstraint) { try await create.first() }
            try await repository.delete(Film.self, id: Film.id(1)).first()
            _ = try await create.first()
            #expect(try await repository.count(Film.self).first() == 1)
        }
    }

    @Test("Each of many items succeeds or fails on its own", arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            _ = try await repository.create(Film.numbered(2)).first()
            var unfit = Film.numbered(3)
            unfit.boxOffice = Decimal(sign: .plus, exponent: -9, significand: 1)
            let films = [Film.numbered(1), .numbered(2), unfit, .numbered(4)]
            let result = try await repository.create(films).first()
            #expect(result.success == [films[0], films[3]])
            #expect(result.failed.map(\.item) == [films[1], films[2]])
            #expect(result.failed.first?.error.isConstraint == true)
            #expect(result.failed.last?.error.isEncoding == true)
            #expect(try await repository.count(Film.self).first() == 3)
        }
    }

    @Test("Many items are stored together or not at all", arguments: StoreKind.allCases)
    func atomically(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...5).map { Film.numbered($0) }
            await expectFailure(\.isConstraint) { try await repository.createAtomically(films + [films[0]]).first() }
            #expect(try await repository.count(Film.self).first() == 0)
            let stored = try await repository.createAtomically(films).first()
            #expect(stored == films)
            #expect(try await repository.fetch(Film.all).first() == films)
        }
    }

    @Test("Inside a transaction the verbs do the same", arguments: StoreKind.allCases)
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
            }.first()
            #expect(counts == [1, 1, 2, 2, 4])
            #expect(try await repository.count(Film.self).first() == 4)
        }
    }
}
