import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Clauses of entities whose tables another program created.
@Suite("Clauses of adopted tables", .timeLimit(.minutes(10))) struct AdoptedClausesTests {
    private struct Place: Entity, Equatable {
        let row: Int
        let seat: Int
        var id: CompositeKey<Int, Int> { CompositeKey(row, seat) }
        static let schema = Schema(
            Column("row", \Place.row), Column("seat", \.seat), key: [\.row, \.seat], make: Place.init)
    }

    private struct Order: Entity, Equatable {
        let id: Int
        var row: Int
        var seat: Int
        var price: Double
        var total = 0.0
        static let schema = Schema(
            Column("id", \Order.id), Column("row", \.row), Column("seat", \.seat), Column("price", \.price),
            Column("total", \.total, computedBy: "price + 1"),
            clauses: [.references([\.row, \.seat], Place.self, onDelete: .cascade)], make: Order.init)
    }

    private struct Checked: Entity {
        let id: Int
        var price: Double
        static let entityName = "Order"
        static let schema = Schema(
            Column("id", \Checked.id), Column("price", \.price),
            clauses: [.check("price") { $0.price > 0 }, .index("low", [\.price]) { $0.price < 1 }],
            make: Checked.init)
    }

    private struct Unbound: Entity {
        let row: Int
        let seat: Int
        var id: CompositeKey<Int, Int> { CompositeKey(row, seat) }
        static let entityName = "Place"
        static let schema = Schema(
            Column("row", \Unbound.row), Column("seat", \.seat), key: [\.row, \.seat],
            clauses: [.references([\.row, \.seat], Place.self)], make: Unbound.init)
    }

    private func file(_ folder: TemporaryFolder) throws -> String {
        let database = try RawDatabase(folder.file("others.db"))
        try database.run(
            """
            CREATE TABLE Place ("row" INTEGER NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY ("row", seat));
            CREATE TABLE "Order" (id INTEGER PRIMARY KEY, "row" INTEGER NOT NULL, seat INTEGER NOT NULL,
                price REAL NOT NULL CHECK (price < 1000), total REAL NOT NULL AS (price + 1) STORED,
                FOREIGN KEY ("row", seat) REFERENCES Place ON DELETE CASCADE);
            INSERT INTO Place VALUES (1, 1), (1, 2);
            INSERT INTO "Order" (id, "row", seat, price) VALUES (1, 1, 2, 5);
            """)
        database.close()
        return folder.file("others.db")
    }

    @Test("A column that the table computes is declared as computed; the other columns are written")
    func computed() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteRepository(adopting: try file(folder), entities: Place.self, Order.self)
        let order = try await store.create(Order(id: 2, row: 1, seat: 1, price: 2)).value()
        #expect(order.total == 3)
        let cheaper = try await store.update(Order.self, id: 1, set: [.set(\.price, to: 4)]).value()
        #expect(cheaper.total == 5)
        await expectFailure(\.isConstraint) {
            try await store.create(Order(id: 3, row: 9, seat: 9, price: 2)).value()
        }
        try await store.delete(Place.self, id: CompositeKey(1, 2)).value()
        #expect(try await store.fetch(Order.all).value() == [order])
        await closed(store)
    }

    @Test("A clause that the table does not enforce is refused, unless the repository is read-only")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let path = try file(folder)
        let error = try thrown { () throws(RepositoryError) in
            try SQLiteRepository(adopting: path, entities: Checked.self)
        }
        #expect("\(error)".contains("check_Order(price)"), "\(error)")
        let reading = try SQLiteRepository(
            adopting: path, entities: Checked.self, configuration: RepositoryConfiguration(access: .readOnly))
        #expect(try await reading.count(Checked.self).value() == 1)
        await closed(reading)
        let missing = try thrown { () throws(RepositoryError) in
            try SQLiteRepository(adopting: path, entities: Unbound.self)
        }
        #expect("\(missing)".contains("FOREIGN KEY"), "\(missing)")
    }
}
