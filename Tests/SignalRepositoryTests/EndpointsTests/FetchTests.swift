import Foundation
import SignalRepository
import Signals
import Testing

@Suite("fetch", .timeLimit(.minutes(10))) struct FetchTests {
    @Test("A fetch returns the items of the query, in its order", arguments: StoreKind.allCases)
    func fetch(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...30).map { Film.numbered($0, studio: $0 % 3 == 0 ? "A" : nil) }
            let stored = films.shuffled()
            try await repository.insert(stored).value()
            #expect(try await repository.fetch(Film.all).value() == (kind == .postgres ? films : stored))
            #expect(try await repository.fetch(Film.all.sorted(by: \.id)).value() == films)
            let query = Film.where { $0.studio == "A" }.sorted(by: \.boxOffice, .descending).limit(2)
            #expect(try await repository.fetch(query).value() == [films[29], films[26]])
        }
    }

    @Test("Inside a transaction the endpoint does the same, and sees earlier writes", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...3).map { Film.numbered($0) }
            let seen = try await repository.transaction { store in
                try store.insert(films)
                return try store.fetch(Film.where { $0.boxOffice >= 2 })
            }.value()
            #expect(seen == Array(films.dropFirst()))
            #expect(try await repository.read { try $0.fetch(Film.all) }.value() == films)
        }
    }

    @Test("R4 A read started after a write completed sees it", arguments: StoreKind.allCases)
    func readYourWrites(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            for number in 1...200 {
                try await repository.create(Film.numbered(number)).value()
                #expect(try await repository.count(Film.self).value() == number)
            }
        }
    }

    @Test("Many concurrent reads all arrive, each with its own answer", arguments: StoreKind.allCases)
    func crowd(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((0..<500).map { Film.numbered($0) }).value()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<500 {
                    group.addTask {
                        let film = try await repository.read(Film.self, id: Film.id(number)).value()
                        #expect(film == .numbered(number))
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
