import Foundation
import SignalRepository
import Signals
import Testing

@Suite struct SliceTests {
    @Test func slice() async throws {
        for store in [Store.inMemory] {
            let repository = try SQLiteRepository(store, entities: Film.self)
            let created = try await repository.create(Film.numbered(1)).first()
            #expect(created.title == "Film 1")
            #expect(try await repository.insert((2...10).map { Film.numbered($0, studio: "A") }).first() == 9)
            #expect(try await repository.count(Film.self).first() == 10)
            #expect(try await repository.count(Film.self, where: \.studio == nil).first() == 1)
            let some = try await repository.fetch(Film.where(\.boxOffice > 7).sorted(by: \.title)).first()
            #expect(some.map(\.title) == ["Film 10", "Film 8", "Film 9"])
            var counts = repository.countSubscription(Film.self).values.makeAsyncIterator()
            #expect(try await counts.next() == 10)
            try await repository.transaction { store in
                try store.create(Film.numbered(11))
                try store.create(Film.numbered(12))
            }.map { _ in }.first()
            #expect(try await counts.next() == 12)
            for await _ in repository.close().values {}
        }
    }
}
