import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// A critic's review of a film, whose key is two columns: a number and any text.
private struct Review: Entity, Equatable {
    let film: Int
    let critic: String
    var stars: Int
    var id: CompositeKey<Int, String> { CompositeKey(film, critic) }

    static let schema = Schema(
        Column("stars", \Review.stars), Column("critic", \.critic), Column("film", \.film), key: [\.film, \.critic]
    ) { stars, critic, film in Review(film: film, critic: critic, stars: stars) }
}

/// An entity that is only its key: three columns, one of them scaled.
private struct Link: Entity, Equatable {
    let a: UUID
    let price: Decimal
    let day: Date
    var id: CompositeKey<UUID, Decimal, Date> { CompositeKey(a, price, day) }

    static let schema = Schema<Link>(key: [\.a, \.price, \.day]) {
        Column("a", \.a)
        Column("price", \.price, .scale(2))
        Column("day", \.day)
    } decode: { row in
        try Link(a: row.next(), price: row.next(), day: row.next())
    }
}

@Suite("Composite keys", .timeLimit(.minutes(10))) struct CompositeKeyTests {
    private static func reviews(_ kind: StoreKind) -> [Review] {
        TextZoo.texts(kind).enumerated().flatMap { place, text in
            [0, 1, Int.min, Int.max].map { Review(film: $0, critic: text, stars: place % 6) }
        }
    }

    @Test("Every endpoint for one item finds it by all columns of its key", arguments: StoreKind.allCases)
    func oneByOne(kind: StoreKind) async throws {
        try await withRepository(kind, [Review.self]) { repository in
            #expect(try await repository.insertReturningIDs(Self.reviews(kind)).value() == Self.reviews(kind).map(\.id))
            for review in Self.reviews(kind) {
                let read = try await repository.read(Review.self, id: review.id).value()
                #expect(read == review && read.critic.isStored(like: review.critic))
            }
            var one = Self.reviews(kind)[1]
            await expectFailure(\.isConstraint) { try await repository.create(one).value() }
            one.stars = 100
            _ = try await repository.update(one).value()
            let patched = try await repository.update(Review.self, id: one.id, set: [.set(\.stars, to: 101)]).value()
            #expect(patched.stars == 101 && patched.id == one.id)
            one.stars = 102
            _ = try await repository.upsert(one).value()
            let found = try await repository.find(Review.self, id: one.id).value()
            #expect(found == one)
            let others = try await repository.count(Review.where { $0.stars < 100 }).value()
            // An aggregate ignores the order of its query.
            let stars = try await repository.fetch(Review.all.sorted(by: \.id).sum(of: \.stars)).value()
            let all = try await repository.fetch(Review.all).value()
            #expect(stars == all.reduce(0) { $0 + $1.stars })
            #expect(others == Self.reviews(kind).count - 1)
            try await repository.delete(one).value()
            await expectFailure(\.isNotFound) { try await repository.read(Review.self, id: one.id).value() }
            await expectFailure(\.isNotFound) { try await repository.update(one).value() }
            #expect(try await repository.count(Review.self).value() == Self.reviews(kind).count - 1)
        }
    }

    @Test("Part of an id can be set", arguments: StoreKind.allCases)
    func partOfID(kind: StoreKind) async throws {
        try await withRepository(kind, [Review.self]) { repository in
            let one = try await repository.create(Review(film: 1, critic: "\u{E9}", stars: 0)).value()
            let moved = try await repository.update(
                Review.self, id: one.id, set: [.set(\.stars, to: 5), .set(\.critic, to: "e\u{301}")]
            ).value()
            #expect(moved.id == CompositeKey(1, "e\u{301}") && moved.stars == 5)
            #expect(moved.critic.unicodeScalars.count == 2)
        }
    }

    @Test("Many ids at once: conditions, returned ids and findOrCreate", arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        try await withRepository(kind, [Review.self]) { repository in
            let (first, rest) = (Array(Self.reviews(kind).prefix(9)), Self.reviews(kind).dropFirst(9))
            try await repository.insert(first).value()
            let made = try await repository.findOrCreate(Review.self, ids: Self.reviews(kind).map(\.id)) { id in
                Review(film: id.values.0, critic: id.values.1, stars: 50)
            }.value()
            #expect(made.map(\.id) == Self.reviews(kind).map(\.id))
            #expect(made.filter { $0.stars == 50 }.count == rest.count)
            let ids = first.map(\.id)
            let among = Review.where { $0.id.isIn(ids) }.sorted(by: \.stars)
            #expect(Set(try await repository.fetch(among).value().map(\.id)) == Set(ids))
            #expect(try await repository.count(Review.where { !$0.id.isIn(ids) }).value() == rest.count)
            #expect(try await repository.count(Review.where { $0.id == ids[3] }).value() == 1)
            #expect(
                try await repository.count(Review.where { $0.id != ids[3] }).value() == Self.reviews(kind).count - 1)
            #expect(try await repository.count(Review.where { $0.id.isIn([]) }).value() == 0)
            let gone = try await repository.deleteReturningIDs(Review.self) { $0.id.isIn(ids) }.value()
            #expect(Set(gone) == Set(ids) && gone.count == ids.count)
        }
    }

    @Test("Sorting by a composite id fails with an error that names its columns", arguments: StoreKind.allCases)
    func order(kind: StoreKind) async throws {
        try await withRepository(kind, [Review.self]) { repository in
            await expectFailure({ "\($0)".contains("the id of Review is several columns, film, critic") }) {
                try await repository.fetch(Review.all.sorted(by: \.id)).value()
            }
        }
    }

    @Test("Items of nothing but a key: a UUID, a scaled decimal and a date", arguments: StoreKind.allCases)
    func onlyKey(kind: StoreKind) async throws {
        try await withRepository(kind, [Link.self]) { repository in
            let day = Date(timeIntervalSinceReferenceDate: 0.1)
            let links = (0..<3).map { Link(a: Film.id($0), price: Decimal($0) / 4, day: day) }
            try await repository.insert(links).value()
            for link in links {
                #expect(try await repository.upsert(link).value() == link)
                #expect(try await repository.update(link).value() == link)
                let url = try await repository.url(for: link).value()
                #expect(try await repository.id(of: Link.self, at: url).value() == link.id)
            }
            #expect(try await repository.count(Link.self).value() == 3)
            let wrong = CompositeKey(Film.id(1), Decimal(string: "0.255") ?? 0, day)
            await expectFailure(\.isEncoding) { try await repository.read(Link.self, id: wrong).value() }
            #expect(try await repository.count(Link.where { $0.id == wrong }).value() == 0)
        }
    }

    @Test("URLs lead back to their items, whatever the key holds", arguments: StoreKind.allCases)
    func urls(kind: StoreKind) async throws {
        try await withRepository(kind, [Review.self]) { repository in
            try await repository.insert(Self.reviews(kind)).value()
            let urls = try await repository.transaction { store in
                try Self.reviews(kind).map { try store.url(for: $0) }
            }.value()
            #expect(Set(urls).count == urls.count)
            let ids = try await repository.read { store in try urls.map { try store.id(of: Review.self, at: $0) } }
                .value()
            #expect(try await repository.readAtomically(Review.self, ids: ids).value() == Self.reviews(kind))
        }
    }

    @Test("Live queries follow one item and a list", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        let ofFilm = Review.where { $0.film == 1 }.sorted(by: \.stars, .descending)
        try await withRepository(kind, [Review.self]) { repository in
            var (one, other) = (Review(film: 1, critic: "a", stars: 1), Review(film: 1, critic: "b", stars: 1))
            try await repository.insert([one, other]).value()
            let item = repository.readSubscription(Review.self, id: one.id).record()
            let list = repository.fetchSubscription(ofFilm).record()
            await item.last(where: { $0 == one })
            await list.last(where: { $0 == [one, other] })
            other.stars = 2
            _ = try await repository.update(other).value()
            await list.last(where: { $0 == [other, one] })
            one.stars = 2
            _ = try await repository.update(one).value()
            await item.last(where: { $0 == one })
            await list.last(where: { $0 == [one, other] })
            try await repository.delete(one).value()
            #expect(await item.last(where: { $0 == nil }) == .some(nil))
            #expect(await list.last(where: { $0 == [other] }) == [other])
            item.cancel()
            list.cancel()
        }
    }

    @Test("Keys with other columns, types or another order than the id are refused when the store is opened")
    func declarations() throws {
        func refusal(_ entity: any Entity.Type) -> String? {
            do {
                _ = try SQLiteRepository(.inMemory, entities: [entity])
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(refusal(Single.self)?.contains("its id is Int, not a CompositeKey") == true)
        #expect(refusal(Undeclared.self)?.contains("declares no column for its id") == true)
        #expect(refusal(Turned.self)?.contains("its key is b, a of the types String, Int") == true)
        #expect(refusal(Pointing.self)?.contains("whose key is several columns") == true)
    }

    @Test(
        "A key that names the id itself is refused, and a negative zero finds the same item",
        arguments: StoreKind.allCases)
    func zero(kind: StoreKind) async throws {
        await expectFailure(\.isMisuse) { try SQLiteRepository(.inMemory, entities: [Circular.self]) }
        try await withRepository(kind, [Point.self]) { repository in
            let made = { @Sendable (id: CompositeKey<Double, Int>) in Point(x: id.values.0, y: id.values.1) }
            _ = try await repository.findOrCreate(Point.self, ids: [CompositeKey(0, 1)], make: made).value()
            let again = try await repository.findOrCreate(Point.self, ids: [CompositeKey(-0.0, 1)], make: made).value()
            #expect(again.count == 1)
            #expect(try await repository.count(Point.self).value() == 1)
        }
    }

    @Test("A property of this type is text, with the column's decimal places", arguments: StoreKind.allCases)
    func property(kind: StoreKind) async throws {
        try await withRepository(kind, [Holder.self]) { repository in
            let holders = [Decimal(0), Decimal(3) / 2].enumerated().map {
                Holder(id: $0.offset, key: CompositeKey("a", $0.element))
            }
            try await repository.insert(holders).value()
            #expect(try await repository.fetch(Holder.all).value() == holders)
        }
    }

    @Test("An id that swaps two columns is refused before an item is stored", arguments: StoreKind.allCases)
    func exchanged(kind: StoreKind) async throws {
        try await withRepository(kind, [Exchanged.self]) { repository in
            await expectFailure(\.isMisuse) { try await repository.create(Exchanged(a: 1, b: 2)).value() }
        }
    }

    @Test("A key that differs from the file's is named as a difference")
    func keyOfTheFile() async throws {
        let folder = try TemporaryFolder()
        await closed(try SQLiteRepository(.file(folder.file()), entities: [Pair.self]))
        do {
            let repository = try SQLiteRepository(.file(folder.file()), entities: [TurnedPair.self])
            Issue.record("It was opened.")
            await closed(repository)
        } catch {
            #expect("\(error)".contains("Pair is declared with the key b, a and stored with a, b"))
        }
        await closed(try SQLiteRepository(.file(folder.file()), entities: [Pair.self]))
    }

    @Test("V4 Live lists follow another program's WITHOUT ROWID table in natural order", arguments: [true, false])
    func withoutRowID(isReadOnly: Bool) async throws {
        let folder = try TemporaryFolder()
        let database = try RawDatabase(folder.file())
        try database.run("CREATE TABLE Pair (b INTEGER, a INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID")
        for (a, b) in [(2, 1), (1, 2), (1, 1)] { try database.run("INSERT INTO Pair (a, b) VALUES (\(a), \(b))") }
        var configuration = RepositoryConfiguration(access: isReadOnly ? .readOnly : .readWrite)
        configuration.watchInterval = .milliseconds(5)
        let store = try SQLiteRepository(adopting: folder.file(), entities: Pair.self, configuration: configuration)
        let all = store.fetchSubscription(Pair.all).map { $0.map { [$0.a, $0.b] } }.record()
        let some = store.fetchSubscription(Pair.where { $0.b == 1 }.limit(2)).map { $0.map(\.a) }.record()
        #expect(await all.values(1) == [[[1, 1], [1, 2], [2, 1]]])
        #expect(await some.values(1) == [[1, 2]])
        try database.run("INSERT INTO Pair (a, b) VALUES (0, 1)")
        await all.reaches { $0 == [[0, 1], [1, 1], [1, 2], [2, 1]] }
        await some.reaches { $0 == [0, 1] }
        database.close()
        await closed(store)
    }
}

private struct Single: Entity {
    let id: Int
    let b: String
    static let schema = Schema(Column("id", \Single.id), Column("b", \.b), key: [\.id, \.b], make: Single.init)
}

private struct Undeclared: Entity {
    let a: Int
    let b: String
    var id: CompositeKey<Int, String> { CompositeKey(a, b) }
    static let schema = Schema(Column("a", \Undeclared.a), Column("b", \.b), make: Undeclared.init)
}

private struct Turned: Entity {
    let a: Int
    let b: String
    var id: CompositeKey<Int, String> { CompositeKey(a, b) }
    static let schema = Schema(Column("a", \Turned.a), Column("b", \.b), key: [\.b, \.a], make: Turned.init)
}

private struct Pointing: Entity {
    let id: Int
    let review: CompositeKey<Int, String>
    static let schema = Schema(
        Column("id", \Pointing.id), Column("review", \.review, .references(Review.self)), make: Pointing.init)
}

private struct Exchanged: Entity {
    let a: Int
    let b: Int
    var id: CompositeKey<Int, Int> { CompositeKey(b, a) }
    static let schema = Schema(Column("a", \Exchanged.a), Column("b", \.b), key: [\.a, \.b], make: Exchanged.init)
}

private struct Pair: Entity, Equatable {
    let a: Int
    let b: Int
    var id: CompositeKey<Int, Int> { CompositeKey(a, b) }
    static let schema = Schema(Column("a", \Pair.a), Column("b", \.b), key: [\.a, \.b], make: Pair.init)
}

private struct TurnedPair: Entity {
    let a: Int
    let b: Int
    var id: CompositeKey<Int, Int> { CompositeKey(b, a) }
    static let entityName = "Pair"
    static let schema = Schema(Column("a", \TurnedPair.a), Column("b", \.b), key: [\.b, \.a], make: TurnedPair.init)
}

private struct Circular: Entity {
    let code: Int
    var id: Int { code }
    static let schema = Schema(Column("code", \Circular.code), key: [\.id], make: Circular.init)
}

private struct Point: Entity, Equatable {
    let x: Double
    let y: Int
    var id: CompositeKey<Double, Int> { CompositeKey(x, y) }
    static let schema = Schema(Column("x", \Point.x), Column("y", \.y), key: [\.x, \.y], make: Point.init)
}

private struct Holder: Entity, Equatable {
    let id: Int
    let key: CompositeKey<String, Decimal>
    static let schema = Schema(Column("id", \Holder.id), Column("key", \.key), make: Holder.init)
}
