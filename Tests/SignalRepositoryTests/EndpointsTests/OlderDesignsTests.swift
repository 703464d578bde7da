import Foundation
import SignalRepository
import Signals
import Testing

/// Features of older designs on top of Core Data, each under the name that it has there.
@Suite("Older designs", .timeLimit(.minutes(10))) struct OlderDesignsTests {
    private struct City: Entity, Equatable {
        let id: Int
        var name: String
        /// The position, which two closures encode as a text.
        var position: Position
        var visits = 0

        static let defaultOrder = [Ordering(\City.name)]
        static let schema = Schema(
            Column("id", \City.id), Column("name", \.name),
            Column("position", \.position, encode: { try $0.text() }, decode: { try Position(text: $0) }),
            Column("visits", \.visits, .default(0)),
            make: { City(id: $0, name: $1, position: $2, visits: $3) })
    }

    private struct Position: Equatable {
        struct Refusal: Error, CustomStringConvertible { let description: String }
        var (x, y): (Int, Int)

        func text() throws -> String {
            if x < 0 { throw Refusal(description: "no city lies at \(x)") }
            return "\(x);\(y)"
        }

        init(x: Int, y: Int) { (self.x, self.y) = (x, y) }

        init(text: String) throws {
            let numbers = text.split(separator: ";").compactMap { Int($0) }
            guard numbers.count == 2 else { throw Refusal(description: "\(text) is not a position") }
            (x, y) = (numbers[0], numbers[1])
        }

        static func == (left: Self, right: Self) -> Bool { left.x == right.x && left.y == right.y }
    }

    /// A narrow model of the same table, for a list.
    private struct CityName: Entity, Equatable {
        let id: Int
        var name: String
        static let entityName = "City"
        static let schema = Schema(Column("id", \CityName.id), Column("name", \.name), make: CityName.init)
    }

    private let cities = [
        City(id: 1, name: "Rome", position: Position(x: 1, y: 2)),
        City(id: 2, name: "Athens", position: Position(x: 3, y: 4)),
        City(id: 3, name: "Delhi", position: Position(x: 5, y: 6)),
    ]

    private func withCities(_ kind: StoreKind, _ body: (any Repository) async throws -> Void) async throws {
        try await withRepository(kind, [City.self, CityName.self]) { repository in
            try await repository.insert(cities).value()
            try await body(repository)
        }
    }

    @Test("The name of an entity by default, and another name if one is given")
    func names() {
        #expect(City.entityName == "City" && CityName.entityName == City.entityName)
    }

    @Test("Default ordering of an entity: all, first and last follow it", arguments: StoreKind.allCases)
    func defaultOrdering(kind: StoreKind) async throws {
        try await withCities(kind) { (repository) async throws in
            #expect(try await repository.fetch(City.all).value().map(\.name) == ["Athens", "Delhi", "Rome"])
            #expect(try await repository.first(City.all).value()?.name == "Athens")
            #expect(try await repository.fetch(City.all.last).value()?.name == "Rome")
            #expect(try await repository.fetch(CityName.all).value().map(\.id) == [1, 2, 3])
        }
    }

    @Test(
        "Typed keys: conditions, orders, assignments and aggregates are written with properties",
        arguments: StoreKind.allCases)
    func typedKeys(kind: StoreKind) async throws {
        try await withCities(kind) { (repository) async throws in
            let large = City.where { $0.id > 1 && $0.name != "Rome" }.sorted(by: \.id, .descending)
            #expect(try await repository.fetch(large).value() == [cities[2], cities[1]])
            #expect(try await repository.update(City.self, set: [.set(\.visits, to: 2)]) { $0.id < 3 }.value() == 2)
            #expect(try await repository.sum(of: \City.visits).value() == 4)
        }
    }

    @Test("Two-closure transformers, with a typed error when they refuse", arguments: StoreKind.allCases)
    func transformers(kind: StoreKind) async throws {
        try await withCities(kind) { (repository) async throws in
            let nowhere = City(id: 4, name: "Atlantis", position: Position(x: -1, y: 0))
            await expectFailure({ "\($0)".contains("City.position cannot be stored: no city lies at -1") }) {
                try await repository.create(nowhere).value()
            }
            #expect(try await repository.count(City.self).value() == 3)
        }
    }

    @Test("A failable conversion names row and column; a lenient fetch returns the rest", arguments: StoreKind.allCases)
    func failableConversion(kind: StoreKind) async throws {
        try await withCities(kind) { (repository) async throws in
            _ = try await repository.transaction { store in
                try store.execute(#"UPDATE "City" SET position = '?' WHERE id = 3"#)
            }.value()
            await expectFailure({
                "\($0)".contains("City.position cannot be read: ? is not a position. It is about City 3")
            }) {
                try await repository.fetch(City.all).value()
            }
            let found = try await repository.fetch(City.all.lenient).value()
            #expect(found.success == [cities[1], cities[0]] && found.failed.count == 1)
        }
    }

    @Test("Get, upsert and remove are generic workers", arguments: StoreKind.allCases)
    func workers(kind: StoreKind) async throws {
        func renamed<Item: Entity & Equatable>(_ item: Item, _ repository: some Repository) async throws -> Bool {
            let stored = try await repository.upsert(item).value()
            let found = try await repository.find(Item.self, id: item.id).value()
            try await repository.delete(Item.self, id: item.id).value()
            let gone = try await repository.find(Item.self, id: item.id).value()
            return stored == item && found == item && gone == nil
        }
        try await withCities(kind) { (repository) async throws in
            #expect(try await renamed(City(id: 1, name: "Roma", position: Position(x: 0, y: 0)), repository))
            #expect(try await renamed(City(id: 9, name: "Oslo", position: Position(x: 0, y: 0)), repository))
            #expect(try await repository.fetch(City.all).value() == [cities[1], cities[2]])
        }
    }

    @Test("getOrCreate one, findOrCreate many in one pass", arguments: StoreKind.allCases)
    func findOrCreate(kind: StoreKind) async throws {
        try await withCities(kind) { (repository) async throws in
            let made = { @Sendable (id: Int) in City(id: id, name: "City \(id)", position: Position(x: id, y: 0)) }
            #expect(try await repository.findOrCreate(City.self, id: 2, make: made).value() == cities[1])
            let many = try await repository.findOrCreate(City.self, ids: [9, 1, 8], make: made).value()
            #expect(many == [made(9), cities[0], made(8)])
            #expect(try await repository.count(City.self).value() == 5)
        }
    }

    @Test("find, findBy, first, last, all, exists", arguments: StoreKind.allCases)
    func finders(kind: StoreKind) async throws {
        try await withCities(kind) { (repository) async throws in
            #expect(try await repository.find(City.self, id: 3).value() == cities[2])
            #expect(try await repository.first(City.where { $0.name == "Rome" }).value() == cities[0])
            #expect(try await repository.fetch(City.where { $0.id < 3 }.last).value() == cities[0])
            #expect(try await repository.fetch(City.all).value().count == 3)
            #expect(try await repository.fetch(City.where { $0.name == "Oslo" }.exists).value() == false)
        }
    }

    @Test("An update that returns the item: PATCH", arguments: StoreKind.allCases)
    func patch(kind: StoreKind) async throws {
        try await withCities(kind) { (repository) async throws in
            let patched = try await repository.update(City.self, id: 1, set: [.set(\.visits, to: 7)]).value()
            #expect(patched == City(id: 1, name: "Rome", position: Position(x: 1, y: 2), visits: 7))
        }
    }

    @Test("performChanges { }: all or nothing, reported as one commit with its author", arguments: StoreKind.allCases)
    func performChanges(kind: StoreKind) async throws {
        struct Failure: Error {}
        try await withCities(kind) { (repository) async throws in
            let changes = repository.changes(of: City.self).record()
            let counts = repository.countSubscription(City.self).record()
            #expect(await counts.values(1) == [3])
            let failing = repository.transaction { store in
                try store.delete(City.self, id: 1)
                throw Failure()
            }
            await expectFailure({ if case .rolledBack = $0 { true } else { false } }) { try await failing.value() }
            try await repository.transaction(author: "editor") { store in
                try store.delete(City.self, id: 1)
                try store.update(City.self, id: 2, set: [.set(\.visits, to: 1)])
                try store.create(City(id: 4, name: "Oslo", position: Position(x: 0, y: 0)))
                try store.create(City(id: 5, name: "Bern", position: Position(x: 0, y: 0)))
            }.value()
            let told = try #require(await changes.values(1).first)
            #expect(told.author == "editor")
            #expect(try told.inserted(of: City.self).map(\.id) == [4, 5])
            #expect(try told.deleted(of: City.self).map(\.id) == [1])
            #expect(try told.updated(of: City.self).map(\.new.visits) == [1])
            #expect(await counts.values(2) == [3, 4])
            changes.cancel()
            counts.cancel()
        }
    }

    @Test("Several stores side by side, and items that move between them", arguments: StoreKind.allCases)
    func stores(kind: StoreKind) async throws {
        try await withCities(kind) { (repository) async throws in
            try await withRepository(kind, [City.self]) { archive in
                let old = City.where { $0.id < 3 }
                // Each item is stored in the archive before it is deleted here, so that no failure loses it.
                let moved = repository.fetch(old)
                    .flatMap { archive.upsertAtomically($0) }
                    .flatMap { repository.deleteAtomically($0) }
                try await moved.value()
                #expect(try await repository.fetch(City.all).value() == [cities[2]])
                #expect(try await archive.fetch(City.all).value() == [cities[1], cities[0]])
            }
        }
    }

    @Test("A scratch pad for a detail view; ScratchPadTests has the rest", arguments: StoreKind.allCases)
    func scratchPad(kind: StoreKind) async throws {
        try await withCities(kind) { (repository) async throws in
            let pad = ScratchPad(repository)
            var rome = cities[0]
            rome.visits = 9
            try pad.update(rome, from: cities[0])
            _ = try await repository.update(City.self, id: 1, set: [.set(\.visits, to: 1)]).value()
            await expectFailure({ if case .conflict = $0 { true } else { false } }) { try await pad.save().value() }
        }
    }

    @Test("JSON in and out, with the names of the columns")
    func json() throws {
        let data = try JSONEncoder().encode(ColumnCoded(CityName(id: 1, name: "Rome")))
        let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["id"] as? Int == 1 && object["name"] as? String == "Rome" && object.count == 2)
        #expect(try JSONDecoder().decode(ColumnCoded<CityName>.self, from: data).item.name == "Rome")
        let city = try JSONEncoder().encode(ColumnCoded(cities[0]))
        #expect(try JSONDecoder().decode(ColumnCoded<City>.self, from: city).item == cities[0])
    }

    @Test("Defaults for new items: the struct's, and the column's for rows with names", arguments: StoreKind.allCases)
    func defaults(kind: StoreKind) async throws {
        try await withCities(kind) { (repository) async throws in
            #expect(cities[0].visits == 0)
            let row: [String: any Sendable] = ["id": 6, "name": "Oslo", "position": Position(x: 1, y: 1)]
            try await repository.insert(City.self, rows: [row]).value()
            #expect(try await repository.read(City.self, id: 6).value().visits == 0)
        }
    }

    @Test("Two models of one table: the narrow one leaves the rest as it is", arguments: StoreKind.allCases)
    func twoModels(kind: StoreKind) async throws {
        try await withCities(kind) { (repository) async throws in
            _ = try await repository.update(CityName(id: 1, name: "Roma")).value()
            #expect(try await repository.read(City.self, id: 1).value().position == cities[0].position)
        }
    }
}
