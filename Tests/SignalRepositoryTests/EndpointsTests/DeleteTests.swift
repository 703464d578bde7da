import Foundation
import SignalRepository
import Signals
import Testing

@Suite("delete", .timeLimit(.minutes(10))) struct DeleteTests {
    @Test("One item is deleted, by itself or by its id", arguments: StoreKind.allCases)
    func one(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...3).map { Film.numbered($0) }).value()
            try await repository.delete(Film.numbered(1)).value()
            try await repository.delete(Film.self, id: Film.id(3)).value()
            #expect(try await repository.fetch(Film.all).value() == [.numbered(2)])
            await expectFailure(\.isNotFound) { try await repository.delete(Film.numbered(1)).value() }
        }
    }

    @Test("Many items are deleted one by one, or all together", arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...6).map { Film.numbered($0) }
            try await repository.insert(films).value()
            await expectFailure(\.isNotFound) {
                try await repository.deleteAtomically([films[0], .numbered(9)]).value()
            }
            #expect(try await repository.count(Film.self).value() == 6)
            let result = try await repository.delete([films[0], .numbered(9)]).value()
            #expect(result.success == [films[0]] && result.failed.map(\.item) == [.numbered(9)])
            let byID = try await repository.delete(Film.self, ids: [films[1].id, films[0].id]).value()
            #expect(byID.success == [films[1].id] && byID.failed.map(\.item) == [films[0].id])
            try await repository.deleteAtomically(Film.self, ids: [films[2].id, films[3].id]).value()
            try await repository.deleteAtomically([films[4]]).value()
            #expect(try await repository.fetch(Film.all).value() == [films[5]])
        }
    }

    @Test("Inside a transaction the endpoints do the same", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...6).map { Film.numbered($0) }
            try await repository.transaction { store in
                try store.insert(films)
                try store.delete(films[0])
                try store.delete(Film.self, id: films[1].id)
                #expect(try store.delete([films[0], films[2]]).success == [films[2]])
                #expect(try store.delete(Film.self, ids: [films[3].id]).failed.isEmpty)
                #expect(throws: RepositoryError.self) { try store.deleteAtomically([films[4], films[0]]) }
                try store.deleteAtomically(Film.self, ids: [films[5].id])
            }.value()
            #expect(try await repository.fetch(Film.all).value() == [films[4]])
        }
    }
}
