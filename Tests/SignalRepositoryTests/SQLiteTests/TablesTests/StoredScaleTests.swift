import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Stored decimal places", .timeLimit(.minutes(10))) struct StoredScaleTests {
    struct Cents: Entity {
        let id: Int
        var price: Decimal
        static let entityName = "Ware"
        static let schema = Schema(
            Column("id", \Cents.id), Column("price", \.price, .scale(2), .default(0)), make: Cents.init)
    }

    struct Whole: Entity {
        let id: Int
        var price: Int
        static let entityName = "Ware"
        static let schema = Schema(Column("id", \Whole.id), Column("price", \.price, .default(0)), make: Whole.init)
    }

    struct Mills: Entity {
        let id: Int
        var price: Decimal
        var old: Decimal?
        static let entityName = "Ware"
        static let schema = Schema(
            Column("id", \Mills.id), Column("price", \.price, .scale(3)), Column("old", \.old, .scale(2)),
            make: Mills.init)
    }

    @Test("R19 Another number of decimal places is refused, so no value is misread", arguments: StoreKind.kept)
    func refused(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Cents.self]) { try await $0.create(Cents(id: 1, price: 12.5)).value() }
        for (entity, places) in [(Mills.self, 3), (Whole.self, 0)] as [(any Entity.Type, Int)] {
            for access in [StoreAccess.readWrite, .readOnly] {
                let detail = try place.mismatch([entity], access: access)
                #expect(detail.contains("Ware.price is declared with \(places) decimal places and stored with 2"))
            }
        }
        try await place.with([Cents.self]) { repository async throws in
            #expect(try await repository.fetch(Cents.all).value().map(\.price) == [12.5])
        }
    }

    @Test("A column that is renamed or added keeps its decimal places", arguments: StoreKind.kept)
    func renamed(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Cents.self]) { try await $0.create(Cents(id: 1, price: 12.5)).value() }
        let step = Migration("prices have three places") { store in
            try store.renameColumn("price", to: "old", of: "Ware")
            try store.addColumn(\Mills.price, value: 0)
            try store.execute(#"UPDATE "Ware" SET price = old * 10"#)
        }
        // The old column becomes optional and keeps its places too. The store then has the places of both.
        for _ in 0..<2 {
            try await place.with([Mills.self], [step]) { repository async throws in
                let ware = try #require(try await repository.fetch(Mills.all).value().first)
                #expect(ware.price == 12.5 && ware.old == 12.5)
            }
        }
        guard case .schemaMismatch(let detail) = try place.refusal([Cents.self], [step]) else {
            return #expect(Bool(false))
        }
        #expect(detail.contains("declared with 2 decimal places and stored with 3"))
    }

    // This test reads the text of a declaration, which a file stores.
    @Test("A column whose name has quotes and combining marks has its decimal places too")
    func names() {
        let shape = ColumnShape(
            name: "a\"\u{301}b", type: "INTEGER", isOptional: true, isKey: false, meaning: .scaled(places: 7))
        let table = TableShape(name: "t", columns: [shape], indexes: [])
        #expect(TableDeclaration(table.creation).meaning(of: shape.name) == .scaled(places: 7))
        #expect(TableDeclaration(table.creation).meaning(of: "b") == nil)
    }
}
