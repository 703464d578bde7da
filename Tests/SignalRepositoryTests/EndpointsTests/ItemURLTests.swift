import Foundation
import SignalRepository
import Signals
import Testing

@Suite("url(for:), url(_:id:), id(of:at:)", .timeLimit(.minutes(10))) struct ItemURLTests {
    @Test("An item is found by its URL, which stays the same", arguments: StoreKind.allCases)
    func found(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...3).map { Film.numbered($0) }).value()
            let url = try await repository.url(for: Film.numbered(2)).value()
            let again = try await repository.url(for: Film.numbered(2, title: "Other")).value()
            let other = try await repository.url(for: Film.numbered(3)).value()
            #expect(url == again && url != other)
            let film = try await repository.item(Film.self, at: url).value()
            #expect(film == .numbered(2))
            let inside = try await repository.transaction { store in
                try store.read(Film.self, id: store.id(of: Film.self, at: store.url(for: Film.numbered(1))))
            }.value()
            #expect(inside == .numbered(1))
            try await repository.delete(Film.numbered(2)).value()
            await expectFailure(\.isNotFound) { try await repository.item(Film.self, at: url).value() }
            await expectFailure(\.isNotFound) { try await repository.url(for: Film.numbered(2)).value() }
        }
    }

    @Test("A URL of another store, of another entity or of no item is a typed error", arguments: StoreKind.allCases)
    func foreign(kind: StoreKind) async throws {
        try await withRepository(kind, [Film.self, Named.self]) { repository in
            try await repository.create(Film.numbered(1)).value()
            let url = try await repository.url(for: Film.numbered(1)).value()
            await expectFailure(\.isMisuse) { try await repository.item(Named.self, at: url).value() }
            let nothing = try #require(URL(string: "https://example.com/Film/i1"))
            await expectFailure(\.isMisuse) { try await repository.item(Film.self, at: nothing).value() }
            try await withRepository(kind) { other in
                try await other.create(Film.numbered(1)).value()
                await expectFailure(\.isMisuse) { try await other.item(Film.self, at: url).value() }
                try await other.url(for: Film.numbered(1)).value()
                await expectFailure(\.isMisuse) { try await other.item(Film.self, at: url).value() }
            }
        }
    }

    @Test("The id alone is enough for a URL, and a URL for the id", arguments: StoreKind.allCases)
    func byID(kind: StoreKind) async throws {
        try await withRepository(kind, [Film.self, Named.self, Small.self]) { repository in
            try await repository.insert((1...3).map { Film.numbered($0) }).value()
            let url = try await repository.url(Film.self, id: Film.id(2)).value()
            let same = try await repository.url(for: Film.numbered(2)).value()
            #expect(url == same)
            await expectFailure(\.isNotFound) { try await repository.url(Film.self, id: Film.id(9)).value() }

            let inside = try await repository.transaction { store in
                let id = try store.id(of: Film.self, at: try store.url(Film.self, id: Film.id(2)))
                return try store.update(Film.numbered(2, title: "Other")).id == id
            }.value()
            #expect(inside)
            try await repository.delete(Film.self, id: Film.id(2)).value()
            // The URL of a deleted item still has its id.
            #expect(try await repository.id(of: Film.self, at: url).value() == Film.id(2))
            await expectFailure(\.isMisuse) { try await repository.id(of: Named.self, at: url).value() }
        }
    }

    @Test("Two ids that are equal in Swift have two URLs", arguments: StoreKind.allCases)
    func twoForms(kind: StoreKind) async throws {
        try await withRepository(kind, [Named.self]) { repository in
            let ids = ["\u{E9}", "e\u{301}"]
            for id in ids { try await repository.create(Named(id: id)).value() }
            let urls = [
                try await repository.url(Named.self, id: ids[0]).value(),
                try await repository.url(Named.self, id: ids[1]).value(),
            ]
            #expect(urls[0] != urls[1])
            for (id, url) in zip(ids, urls) {
                let found = try await repository.id(of: Named.self, at: url).value()
                #expect(Array(found.utf8) == Array(id.utf8))
            }
        }
    }

    @Test("A read can make the URL of an item once the store has made one", arguments: StoreKind.allCases)
    func inRead(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            let urlInRead = repository.read { try $0.url(for: Film.numbered(1)) }
            // A store on a server has its identity from the beginning.
            if kind != .postgres { await expectFailure(\.isReadOnly) { try await urlInRead.value() } }
            let changes = repository.changes().record()
            let url = try await repository.url(for: Film.numbered(1)).value()
            #expect(try await urlInRead.value() == url)
            #expect(try await repository.url(for: Film.numbered(1)).value() == url)
            await expectFailure(\.isNotFound) {
                try await repository.read { try $0.url(Film.self, id: UUID()) }.value()
            }
            try await repository.create(Film.numbered(2)).value()
            // Only the first URL and the second film were committed.
            let commits = await changes.values(kind == .postgres ? 1 : 2).map(\.commit)
            #expect(commits == (kind == .postgres ? [2] : [2, 3]))
            changes.cancel()
        }
    }

    @Test("A read-only repository can make URLs once the store has made one")
    func readOnly() async throws {
        try await withFolder { folder in
            let store = StoreLocation.file(folder + "/a.sqlite")
            let writer = try SQLiteRepository(store, entities: Film.self)
            try await writer.insert((1...2).map { Film.numbered($0) }).value()
            let reader = try SQLiteRepository(
                store, entities: Film.self, configuration: RepositoryConfiguration(access: .readOnly))
            await expectFailure(\.isReadOnly) { try await reader.url(for: Film.numbered(1)).value() }
            let url = try await writer.url(for: Film.numbered(1)).value()
            #expect(try await reader.url(for: Film.numbered(1)).value() == url)
            let other = try await reader.url(Film.self, id: Film.id(2)).value()
            #expect(try await writer.item(Film.self, at: other).value() == .numbered(2))
            await expectFailure(\.isNotFound) { try await reader.url(for: Film.numbered(3)).value() }
            await closed(reader)
            await closed(writer)
        }
    }

    @Test("A URL whose key does not fit the id is a typed error", arguments: StoreKind.allCases)
    func noID(kind: StoreKind) async throws {
        try await withRepository(kind, [Small.self]) { repository in
            try await repository.create(Small(id: 7)).value()
            let text = try await repository.url(Small.self, id: 7).value().absoluteString
            #expect(text.hasSuffix("/i7"))
            let tooLarge = try #require(URL(string: text + "00"))
            await expectFailure(\.isMisuse) { try await repository.item(Small.self, at: tooLarge).value() }
        }
    }

    @Test("Any text can be an id", arguments: StoreKind.allCases, ["a", "", "a/b c?d#e%2F", "Ünï/\u{1F3AC}"])
    func texts(kind: StoreKind, id: String) async throws {
        try await withRepository(kind, [Named.self]) { repository in
            let item = try await repository.create(Named(id: id)).value()
            let url = try await repository.url(for: item).value()
            let found = try await repository.item(Named.self, at: url).value()
            #expect(found == item)
        }
    }

    @Test("A URL outlives the repository")
    func reopened() async throws {
        try await withFolder { folder in
            let first = try SQLiteRepository(.file(folder + "/a.sqlite"), entities: Film.self)
            try await first.create(Film.numbered(1)).value()
            let url = try await first.url(for: Film.numbered(1)).value()
            await closed(first)
            try FileManager.default.moveItem(atPath: folder + "/a.sqlite", toPath: folder + "/b.sqlite")
            let second = try SQLiteRepository(.file(folder + "/b.sqlite"), entities: Film.self)
            let film = try await second.item(Film.self, at: url).value()
            #expect(film == .numbered(1))
            await closed(second)
        }
    }
}

private struct Small: Entity {
    let id: UInt8
    static let schema = Schema(Column("id", \Small.id), make: Small.init)
}

private struct Named: Entity, Equatable {
    let id: String

    static let schema = Schema(Column("id", \Named.id), make: Named.init)
}

extension Repository {
    fileprivate func item<Item: Entity>(_ type: Item.Type, at url: URL) -> Signal<Item, RepositoryError> {
        id(of: type, at: url).flatMap { read(type, id: $0) }
    }
}
