import Foundation
import SignalRepository
import Signals
import Testing

@testable import SignalRepositoryPostgres

/// Rules that are the same on a server as in a file.
@Suite("R19 The same meaning on every engine", .timeLimit(.minutes(10))) struct ServerMeaningTests {
    @Test("P10 A restricting reference holds though another one of the row cascades", arguments: StoreKind.allCases)
    func restricts(_ kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Parent.self, Child.self]) { repository in
            try await repository.create(Parent(id: 1)).value()
            try await repository.create(Child(id: 1, owner: 1, keeper: 1)).value()
            await expectFailure(\.isConstraint) { try await repository.delete(Parent.self, id: 1).value() }
            #expect(try await repository.count(Child.self).value() == 1)
        }
    }

    @Test("P10 A restricting reference also holds if it was added to a table whose reference cascades")
    func restrictsLater() async throws {
        let place = try StorePlace(.postgres)
        try await place.with([Parent.self, EarlyChild.self]) { repository in
            try await repository.create(Parent(id: 1)).value()
        }
        try await place.with([Parent.self, Child.self]) { repository in
            try await repository.create(Child(id: 1, owner: 1, keeper: 1)).value()
            await expectFailure(\.isConstraint) { try await repository.delete(Parent.self, id: 1).value() }
        }
    }

    @Test("P13 B13 A generated key is never one that another program has used and committed")
    func takenKeys() async throws {
        let place = try StorePlace(.postgres)
        let repository = try place.open([Numbered.self], liveSource: .notifications)
        var known: Set = [try await repository.create(Numbered(id: 0, name: "a")).value().id]
        /// Has another program take the next two keys, and one that is far away.
        func take() throws {
            let next = (known.max() ?? 0) + 1
            for key in [next, next + 1, next + 1_000] {
                try place.run("INSERT INTO \"Numbered\" VALUES (\(key), 'of others')")
                known.insert(key)
            }
        }
        func expectNew(_ given: [Int], _ count: Int) {
            #expect(given.count == count && given == given.sorted() && known.isDisjoint(with: given), "\(given)")
            known.formUnion(given)
        }
        let some = (0..<3).map { Numbered(id: 0, name: "\($0)") }
        try take()
        expectNew([try await repository.create(Numbered(id: 0, name: "b")).value().id], 1)
        try take()
        expectNew([try await repository.upsert(Numbered(id: 0, name: "c")).value().id], 1)
        try take()
        expectNew(try await repository.create(some).value().success.map(\.id), 3)
        try take()
        expectNew(try await repository.insertReturningIDs(some).value(), 3)
        try take()
        expectNew(try await repository.upsert(some).value().success.map(\.id), 3)
        try take()
        let inBody = try await repository.transaction { store in
            [try store.create(Numbered(id: 0, name: "d")).id, try store.create(Numbered(id: 0, name: "e")).id]
        }.value()
        expectNew(inBody, 2)
        // An explicit key that exists is still refused.
        await expectFailure(\.isConstraint) { try await repository.create(Numbered(id: inBody[0], name: "f")).value() }
        #expect(try place.rows("SELECT count(*) FROM \"Numbered\" WHERE name = 'of others'") == [[.integer(18)]])
        await closed(repository)
    }

    @Test("P13 Generated keys go on after those that raw SQL has stored in a new store")
    func keysOfNewStore() async throws {
        let place = try StorePlace(.postgres)
        let repository = try place.open(
            [Numbered.self],
            whenNew: {
                try $0.execute("INSERT INTO \"Numbered\" SELECT n, 'copied' FROM generate_series(1, 1000) AS n")
            })
        #expect(try await repository.create(Numbered(id: 0, name: "a")).value().id == 1001)
        await closed(repository)
    }

    @Test("Rows are grouped by a whole item of a view", arguments: StoreKind.allCases)
    func groupedByViews(_ kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Hall.self, Booking.self, Sale.self]) { repository in
            _ = try await repository.create(Hall(town: "Ulm", number: 1, seats: 2)).value()
            _ = try await repository.insert([Booking.made(1), Booking.made(2)]).value()
            let query = Booking.joined(to: Sale.self) { $0.town == $1.id }.grouped { $1 }
                .aggregate { booking, _ in booking.id.count() }
            let rows = try await repository.fetch(query).value()
            #expect(rows.map { $0.0 } == [Sale(id: "Ulm", bookings: 2, fees: 6)] && rows.map { $0.1 } == [2])
        }
    }

    @Test("A computed id has a least and a greatest value", arguments: StoreKind.allCases)
    func computedIDs(_ kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        let ids = (1...3).map { Film.id($0) }
        try await place.with([Tagged.self]) { repository in
            try await repository.insert([
                Tagged(id: 1, tag: ids[1]), Tagged(id: 2, tag: nil), Tagged(id: 3, tag: ids[2]),
            ]).value()
            let query = Tagged.all.aggregate { (($0.tag ?? ids[0]).min(), ($0.tag ?? ids[0]).max(), $0.tag.min()) }
            let row = try #require(try await repository.fetch(query).value().first)
            #expect(row == (ids[0], ids[2], ids[1]))
        }
    }

    @Test("A value or a statement that is too long is refused", arguments: StoreKind.allCases)
    func limits(_ kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Numbered.self]) { repository in
            let long = String(repeating: "x", count: 64 << 20 + 1)
            await expectFailure(\.isTooBig) { try await repository.create(Numbered(id: 0, name: long)).value() }
            let results = try await repository.create([Numbered(id: 0, name: long), Numbered(id: 0, name: "")]).value()
            #expect(results.success.map(\.name) == [""] && results.failed.map(\.error.isTooBig) == [true])
            let numbers = Array(0..<70_000)
            await expectFailure(\.isTooBig) {
                try await repository.count(Numbered.self) { ($0.id + 1).isIn(numbers) }.value()
            }
            let live = repository.countSubscription(Numbered.self) { ($0.id + 1).isIn(numbers) }.record()
            let end = await live.end()
            guard case .failure(let error)? = end, error.isTooBig else {
                Issue.record("\(String(describing: end))")
                return
            }
            #expect(try await repository.count(Numbered.self) { $0.id.isIn(numbers) }.value() == 1)
        }
    }

    @Test("A reference of several columns may name an undeclared table", arguments: StoreKind.kept)
    func undeclaredTarget(_ kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Hall.self, Booking.self]) { repository in
            _ = try await repository.create(Hall(town: "Ulm", number: 1, seats: 2)).value()
        }
        try await place.with([Booking.self]) { repository in
            _ = try await repository.create(Booking.made(1)).value()
            await expectFailure(\.isConstraint) {
                var other = Booking.made(2)
                other.town = "Bonn"
                return try await repository.create(other).value()
            }
        }
    }

    @Test("P15 Every endpoint works with any name of an entity and of a column", arguments: StoreKind.allCases)
    func names(_ kind: StoreKind) async throws {
        try await Self.use(Items.self, kind)
        try await Self.use(Excluded.self, kind)
        try await Self.use(Place.self, kind)
    }

    private static func use<Item: Plain>(_ type: Item.Type, _ kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([type]) { repository in
            let many = (1...20).map { Item(items: $0, place: "\($0)") }
            let changed = many.map { Item(items: $0.items, place: $0.place + "x") }
            try await repository.create(many).value()
            #expect(try await repository.update(changed).value().failed.isEmpty)
            #expect(try await repository.upsert(many + [Item(items: 21, place: "")]).value().failed.isEmpty)
            try await repository.upsertAtomically(changed).value()
            try await repository.upsert(Item(items: 21, place: "y")).value()
            _ = try await repository.insert((30..<60).map { Item(items: $0, place: "\($0)") }).value()
            #expect(try await repository.count(type) { _ in .true }.value() == 51)
            #expect(try await repository.delete(many).value().failed.isEmpty)
            try await repository.updateAtomically([Item(items: 21, place: "z")]).value()
            #expect(try await repository.fetch(Item.all.limit(1)).value().map(\.place) == ["z"])
        }
    }
}

private struct Parent: Entity, Equatable {
    let id: Int
    static let schema = Schema(Column("id", \Parent.id), make: Parent.init)
}

private struct Child: Entity, Equatable {
    let id: Int
    var owner: Int?
    var keeper: Int?
    static let entityName = "Child"
    static let schema = Schema(
        Column("id", \Child.id), Column("owner", \.owner, .references(Parent.self, onDelete: .cascade)),
        Column("keeper", \.keeper, .references(Parent.self, onDelete: .restrict)), make: Child.init)
}

private struct EarlyChild: Entity, Equatable {
    let id: Int
    var owner: Int?
    static let entityName = "Child"
    static let schema = Schema(
        Column("id", \EarlyChild.id), Column("owner", \.owner, .references(Parent.self, onDelete: .cascade)),
        make: EarlyChild.init)
}

private struct Numbered: Entity, Equatable {
    let id: Int
    var name: String
    static let schema = Schema(Column("id", \Numbered.id, .generated), Column("name", \.name), make: Numbered.init)
}

private struct Tagged: Entity, Equatable {
    let id: Int
    var tag: UUID?
    static let schema = Schema(Column("id", \Tagged.id), Column("tag", \.tag), make: Tagged.init)
}

private protocol Plain: Entity {
    var items: Int { get }
    var place: String { get }
    init(items: Int, place: String)
}

private struct Items: Plain, Equatable {
    let items: Int
    var place: String
    var id: Int { items }
    static let entityName = "items"
    static let schema = Schema(Column("items", \Items.items, .key), Column("place", \.place), make: Items.init)
}

private struct Excluded: Plain, Equatable {
    let items: Int
    var place: String
    var id: Int { items }
    static let entityName = "excluded"
    static let schema = Schema(
        Column("index of the item", \Excluded.items, .key), Column("excluded", \.place), make: Excluded.init)
}

private struct Place: Plain, Equatable {
    let items: Int
    var place: String
    var id: Int { items }
    static let entityName = "keys"
    static let schema = Schema(Column("place", \Place.items, .key), Column("new", \.place), make: Place.init)
}
