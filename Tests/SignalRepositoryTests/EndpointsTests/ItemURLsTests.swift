import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("read and delete of many URLs", .timeLimit(.minutes(10))) struct ItemURLsTests {
    @Test("Items are read by their URLs, in their order, twice when asked twice", arguments: StoreKind.allCases)
    func read(kind: StoreKind) async throws {
        try await withURLs(kind) { repository, urls in
            let order = [urls.films[2], urls.films[0], urls.films[2]]
            let expected = [Film.numbered(3), .numbered(1), .numbered(3)]
            let read: @Sendable (ReadTransaction) throws -> [[Film]] = { store in
                [try store.read(Film.self, at: order).success, try store.readAtomically(Film.self, at: order)]
            }
            let each = try await repository.read(Film.self, at: order).value()
            #expect(each.success == expected && each.failed.isEmpty)
            #expect(try await repository.readAtomically(Film.self, at: order).value() == expected)
            #expect(try await repository.read(read).value() == [expected, expected])
            #expect(try await repository.transaction { try read($0) }.value() == [expected, expected])
            #expect(try await repository.transaction { try $0.transaction { try read($0) } }.value().count == 2)
            #expect(try await repository.read(Film.self, at: []).value().success.isEmpty)
            #expect(try await repository.readAtomically(Film.self, at: []).value().isEmpty)
        }
    }

    @Test("A URL that fails is reported with its error, and the others are read", arguments: StoreKind.allCases)
    func readEach(kind: StoreKind) async throws {
        try await withURLs(kind) { repository, urls in
            try await repository.delete(Film.numbered(2)).value()
            let read: @Sendable (ReadTransaction) throws -> BatchResult<Film, URL> = { store in
                try store.read(Film.self, at: urls.all)
            }
            let results = [
                try await repository.read(Film.self, at: urls.all).value(), try await repository.read(read).value(),
                try await repository.transaction { try read($0) }.value(),
            ]
            for result in results {
                #expect(result.success == [.numbered(1), .numbered(3)])
                #expect(result.failed.map(\.item) == [urls.films[1]] + urls.foreign)
                #expect(result.failed.map(\.error.isNotFound) == [true, false, false, false])
                #expect(result.failed.map(\.error.isMisuse) == [false, true, true, true])
            }
        }
    }

    @Test("All are read or none: the error is that of the first URL that fails", arguments: StoreKind.allCases)
    func readAll(kind: StoreKind) async throws {
        try await withURLs(kind) { repository, urls in
            try await repository.delete(Film.numbered(2)).value()
            await expectFailure(\.isNotFound) { try await repository.readAtomically(Film.self, at: urls.all).value() }
            let misuseFirst = [urls.films[0], urls.foreign[0], urls.films[1]]
            await expectFailure({ "\($0)".contains(urls.foreign[0].absoluteString) }) {
                try await repository.readAtomically(Film.self, at: misuseFirst).value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.transaction { try $0.readAtomically(Film.self, at: misuseFirst) }.value()
            }
        }
    }

    @Test("Items are deleted by their URLs; what fails is reported, the others go", arguments: StoreKind.allCases)
    func deleteEach(kind: StoreKind) async throws {
        try await withURLs(kind) { repository, urls in
            let films = repository.fetchSubscription(Film.all.sorted(by: \.id)).record()
            #expect(await films.values(1).last?.count == 3)
            let twice = [urls.films[0], urls.foreign[1], urls.films[0]]
            let result = try await repository.delete(Film.self, at: twice).value()
            #expect(result.success == [urls.films[0]])
            #expect(result.failed.map(\.item) == [urls.foreign[1], urls.films[0]])
            #expect(result.failed.map(\.error.isMisuse) == [true, false])
            #expect(result.failed.map(\.error.isNotFound) == [false, true])
            #expect(await films.values(2).last == [.numbered(2), .numbered(3)])
            let inside = try await repository.transaction { store in
                try store.transaction { try $0.delete(Film.self, at: urls.all) }
            }.value()
            #expect(inside.success == [urls.films[1], urls.films[2]])
            #expect(inside.failed.map(\.item) == [urls.films[0]] + urls.foreign)
            #expect(await films.values(3).last == [])
            films.cancel()
        }
    }

    @Test("R5 All are deleted or none", arguments: StoreKind.allCases)
    func deleteAll(kind: StoreKind) async throws {
        try await withURLs(kind) { repository, urls in
            await expectFailure(\.isMisuse) { try await repository.deleteAtomically(Film.self, at: urls.all).value() }
            await expectFailure(\.isNotFound) {
                try await repository.deleteAtomically(Film.self, at: [urls.films[0], urls.films[0]]).value()
            }
            #expect(try await repository.count(Film.self).value() == 3)
            let left = try await repository.transaction { store in
                #expect(throws: RepositoryError.self) { try store.deleteAtomically(Film.self, at: urls.all) }
                try store.deleteAtomically(Film.self, at: [urls.films[2]])
                return try store.count(Film.self)
            }.value()
            #expect(left == 2)
            try await repository.deleteAtomically(Film.self, at: Array(urls.films.prefix(2))).value()
            #expect(try await repository.count(Film.self).value() == 0)
        }
    }

    @Test("Before a store has made a URL, none is of it", arguments: StoreKind.allCases)
    func none(kind: StoreKind) async throws {
        try await withURLs(kind) { _, urls in
            try await withRepository(kind) { other in
                try await other.insert((1...3).map { Film.numbered($0) }).value()
                let result = try await other.read(Film.self, at: urls.films).value()
                #expect(result.success.isEmpty && result.failed.map(\.item) == urls.films)
                #expect(result.failed.map(\.error.isMisuse) == [true, true, true])
                await expectFailure(\.isMisuse) { try await other.deleteAtomically(Film.self, at: urls.films).value() }
                #expect(try await other.delete(Film.self, at: urls.films).value().success.isEmpty)
                #expect(try await other.count(Film.self).value() == 3)
            }
        }
    }

    private struct Addresses: Sendable {
        let films: [URL]
        /// One of another entity, one of another store, one of no item at all.
        let foreign: [URL]
        var all: [URL] { films + foreign }
    }

    /// Gives a test a store with three films, their URLs, and URLs of other things.
    private func withURLs(
        _ kind: StoreKind, _ body: (any Repository, Addresses) async throws -> Void
    ) async throws {
        try await withRepository(kind, [Film.self, Label.self]) { repository in
            let made = try await repository.transaction { store in
                try store.insert((1...3).map { Film.numbered($0) })
                let label = try store.create(Label(id: "a"))
                return (try (1...3).map { try store.url(Film.self, id: Film.id($0)) }, try store.url(for: label))
            }.value()
            let (films, label) = made
            let elsewhere = films[0].absoluteString
                .replacingOccurrences(of: try #require(films[0].host), with: UUID().uuidString.lowercased())
            let foreign = [
                label, try #require(URL(string: elsewhere)), try #require(URL(string: "https://example.com/Film/i1")),
            ]
            try await body(repository, Addresses(films: films, foreign: foreign))
        }
    }
}

private struct Label: Entity {
    let id: String
    static let schema = Schema(Column("id", \Label.id), make: Label.init)
}
