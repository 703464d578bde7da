import Foundation
import SignalRepository
import Signals
import Testing

/// A version of one table; each version declares other clauses.
private protocol Version: Entity, Equatable {
    init(id: Int, size: Int, weight: Double, sum: Double)
    static var clauses: [TableClause<Self>] { get }
}

extension Version {
    fileprivate static var entityName: String { "Parcel" }

    fileprivate static func parcel(_ id: Int, _ size: Int) -> Self { Self(id: id, size: size, weight: 1, sum: 0) }
}

private struct Plain: Version {
    let id: Int
    var size: Int
    var weight: Double
    var sum: Double
    static let clauses: [TableClause<Plain>] = []
    static let schema = Schema(
        Column("id", \Plain.id), Column("size", \.size), Column("weight", \.weight), Column("sum", \.sum),
        make: Plain.init)
}

private struct Checked: Version {
    let id: Int
    var size: Int
    var weight: Double
    var sum: Double
    static let clauses: [TableClause<Checked>] = [
        .check("size") { $0.size > 2 }, .index("small", [\.size]) { $0.size < 10 },
    ]
    static let schema = Schema(
        Column("id", \Checked.id), Column("size", \.size), Column("weight", \.weight), Column("sum", \.sum),
        clauses: clauses, make: Checked.init)
}

private struct Stricter: Version {
    let id: Int
    var size: Int
    var weight: Double
    var sum: Double
    static let clauses: [TableClause<Stricter>] = [
        .check("size") { $0.size > 5 }, .check("weight") { $0.weight >= 0 },
        .unique("small", [\.size]) { $0.size < 8 },
    ]
    static let schema = Schema(
        Column("id", \Stricter.id), Column("size", \.size), Column("weight", \.weight), Column("sum", \.sum),
        clauses: clauses, make: Stricter.init)
}

private struct Summed: Version {
    let id: Int
    var size: Int
    var weight: Double
    var sum: Double
    static let clauses: [TableClause<Summed>] = []
    static let schema = Schema(
        Column("id", \Summed.id), Column("size", \.size), Column("weight", \.weight),
        Column("sum", \.sum, computed: { $0.weight + 1 }), make: Summed.init)
}

private struct SummedAnew: Version {
    let id: Int
    var size: Int
    var weight: Double
    var sum: Double
    static let clauses: [TableClause<SummedAnew>] = []
    static let schema = Schema(
        Column("id", \SummedAnew.id), Column("size", \.size), Column("weight", \.weight),
        Column("sum", \.sum, computed: { $0.weight + 2 }), make: SummedAnew.init)
}

private struct SummedHeavy: Entity {
    let id: Int
    var load: Double
    var sum: Double
    static let entityName = "Parcel"
    static let schema = Schema(
        Column("id", \SummedHeavy.id), Column("load", \.load), Column("sum", \.sum, computed: { $0.load * 2 }),
        make: SummedHeavy.init)
}

@Suite("Clauses that change", .timeLimit(.minutes(10))) struct ClauseChangesTests {
    @Test("A store that is opened again with the same clauses stays as it is", arguments: StoreKind.kept)
    func again(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        let entities: [any Entity.Type] = [Hall.self, Booking.self, Sale.self]
        try await place.with(entities) { repository in
            _ = try await repository.create(Hall(town: "Ulm", number: 1, seats: 2)).value()
            _ = try await repository.create(Booking.made(1)).value()
        }
        for access in [StoreAccess.readOnly, .readWrite] {
            let repository = try place.open(entities, access: access)
            #expect(try await repository.fetch(Booking.all).value() == [Booking.made(1).stored])
            #expect(try await repository.fetch(Sale.all).value().map(\.id) == ["Ulm"])
            await closed(repository)
        }
    }

    @Test("Checks and indexes are created, changed and dropped as declared", arguments: StoreKind.kept)
    func checks(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Plain.self]) { repository in
            _ = try await repository.insert([Plain.parcel(1, 3), Plain.parcel(2, 9), Plain.parcel(3, 9)]).value()
        }
        try await place.with([Checked.self]) { repository in
            await expectFailure(\.isConstraint) { try await repository.create(Checked.parcel(4, 2)).value() }
            _ = try await repository.create(Checked.parcel(4, 9)).value()
        }
        let detail = try place.mismatch([Stricter.self])
        #expect(detail.contains("1 of Parcel would break check_Parcel(size)"), "\(detail)")
        try await place.with([Checked.self]) { repository in
            try await repository.delete(Checked.self, id: 1).value()
        }
        try await place.with([Stricter.self]) { repository in
            await expectFailure(\.isConstraint) { try await repository.create(Stricter.parcel(5, 5)).value() }
            _ = try await repository.create(Stricter.parcel(5, 6)).value()
            await expectFailure(\.isConstraint) { try await repository.create(Stricter.parcel(6, 6)).value() }
            #expect(try await repository.count(Stricter.self).value() == 4)
        }
        try await place.with([Plain.self]) { repository in
            _ = try await repository.insert([Plain.parcel(6, 6), Plain.parcel(7, 0)]).value()
            #expect(try await repository.count(Plain.self).value() == 6)
        }
    }

    @Test("A changed computed column is refused; a step creates it and keeps the rows", arguments: StoreKind.kept)
    func computed(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Plain.self]) { repository in
            _ = try await repository.insert((1...1_000).map { Plain.parcel($0, $0) }).value()
        }
        #expect(try place.mismatch([Summed.self]).contains("try store.recreateTable(Parcel.self)"))
        let first = Migration("computed") { store in _ = try store.recreateTable(Summed.self) }
        try await place.with([Summed.self], [first]) { repository in
            let found = try await repository.fetch(Summed.where { $0.sum == 2 }).value().count
            #expect(found == 1_000)
        }
        let refusal = try place.refusal([SummedAnew.self], [first])
        #expect("\(refusal)".contains("recreateTable"), "\(refusal)")
        let second = Migration("anew") { store in _ = try store.recreateTable(SummedAnew.self) }
        try await place.with([SummedAnew.self], [first, second]) { repository in
            #expect(try await repository.sum(of: \SummedAnew.sum).value() == 3_000)
            let one = try await repository.create(SummedAnew.parcel(2_000, 1)).value()
            #expect(one.sum == 3)
        }
    }

    @Test("A column that a computed one reads is replaced together with it", arguments: StoreKind.kept)
    func computedWithBase(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Summed.self]) { repository in
            _ = try await repository.insert((1...3).map { Summed.parcel($0, $0) }).value()
        }
        let step = Migration("heavy") { store in
            _ = try store.recreateTable(SummedHeavy.self, from: ["load": "weight"])
        }
        try await place.with([SummedHeavy.self], [step]) { repository in
            let parcels = try await repository.fetch(SummedHeavy.all.sorted(by: \.id)).value()
            #expect(parcels.map(\.load) == [1, 1, 1] && parcels.map(\.sum) == [2, 2, 2])
        }
    }

    @Test("A step can change and drop columns that a check and an index use", arguments: StoreKind.kept)
    func columns(kind: StoreKind) async throws {
        struct Text: Entity, Equatable {
            let id: Int
            var size: String
            var sum: Double
            static var entityName: String { "Parcel" }
            static let schema = Schema(
                Column("id", \Text.id), Column("size", \.size), Column("sum", \.sum),
                clauses: [.check("size") { $0.size != "" }], make: Text.init)
        }
        let place = try StorePlace(kind)
        try await place.with([Checked.self]) { repository in
            _ = try await repository.insert((3...9).map { Checked.parcel($0, $0) }).value()
        }
        let step = Migration("a size is a text") { store in
            try store.changeColumn(\Text.size, from: Int.self) { "\($0)" }
            try store.dropColumn("weight", of: "Parcel")
        }
        try await place.with([Text.self], [step]) { repository in
            let sizes = try await repository.fetch(Text.all).value().map(\.size)
            #expect(sizes == (3...9).map { "\($0)" })
            await expectFailure(\.isConstraint) {
                try await repository.create(Text(id: 10, size: "", sum: 0)).value()
            }
        }
    }

    @Test("A view that is declared with another query is replaced", arguments: StoreKind.kept)
    func views(kind: StoreKind) async throws {
        struct Heavy: Entity, Equatable {
            let id: Int
            static let schema = Schema(
                Column("id", \Heavy.id), clauses: [.view(#"SELECT "id" FROM "Parcel" WHERE "size" > 2"#)],
                make: Heavy.init)
        }
        struct Heavier: Entity, Equatable {
            let id: Int
            static var entityName: String { "Heavy" }
            static let schema = Schema(
                Column("id", \Heavier.id), clauses: [.view(#"SELECT "id" FROM "Parcel" WHERE "size" > 3"#)],
                make: Heavier.init)
        }
        struct Missing: Entity, Equatable {
            let id: Int
            static var entityName: String { "Heavy" }
            static let schema = Schema(
                Column("id", \Missing.id), clauses: [.view(#"SELECT "size" AS "other" FROM "Parcel""#)],
                make: Missing.init)
        }
        struct Stored: Entity, Equatable {
            let id: Int
            static var entityName: String { "Heavy" }
            static let schema = Schema(Column("id", \Stored.id), make: Stored.init)
        }
        let place = try StorePlace(kind)
        try await place.with([Heavy.self, Plain.self]) { repository in
            _ = try await repository.insert((1...5).map { Plain.parcel($0, $0) }).value()
            #expect(try await repository.fetch(Heavy.all).value().map(\.id).sorted() == [3, 4, 5])
        }
        try await place.with([Heavier.self, Plain.self]) { repository in
            let found = try await repository.fetch(Heavier.all).value().map(\.id).sorted()
            #expect(found == [4, 5])
        }
        _ = try place.refusal([Missing.self, Plain.self])
        #expect(try place.mismatch([Stored.self, Plain.self]).contains("a view"))
        try await place.with([Heavier.self, Plain.self]) { repository in
            let found = try await repository.count(Heavier.self).value()
            #expect(found == 2)
        }
    }

    @Test("A view that another view reads is replaced while columns are dropped", arguments: StoreKind.kept)
    func viewsOfViews(kind: StoreKind) async throws {
        struct Base: Entity {
            let id: Int
            static let schema = Schema(
                Column("id", \Base.id), clauses: [.view(#"SELECT "id" FROM "Parcel" WHERE "weight" = 1"#)],
                make: Base.init)
        }
        struct Other: Entity {
            let id: Int
            static var entityName: String { "Base" }
            static let schema = Schema(
                Column("id", \Other.id), clauses: [.view(#"SELECT "id" FROM "Parcel" WHERE "size" > 3"#)],
                make: Other.init)
        }
        struct Top: Entity {
            let id: Int
            static let schema = Schema(
                Column("id", \Top.id), clauses: [.view(#"SELECT "id" FROM "Base" WHERE "id" < 5"#)], make: Top.init)
        }
        struct Light: Entity {
            let id: Int
            var size: Int
            static var entityName: String { "Parcel" }
            static let schema = Schema(Column("id", \Light.id), Column("size", \.size), make: Light.init)
        }
        let place = try StorePlace(kind)
        try await place.with([Plain.self, Base.self, Top.self]) { repository in
            _ = try await repository.insert((1...9).map { Plain.parcel($0, $0) }).value()
            let ids = try await repository.fetch(Top.all).value().map(\.id).sorted()
            #expect(ids == [1, 2, 3, 4])
        }
        let columns: [DroppedColumn] = [.column("weight", of: Light.self), .column("sum", of: Light.self)]
        try await place.with([Light.self, Other.self, Top.self], dropping: columns) { repository in
            let ids = try await repository.fetch(Top.all).value().map(\.id)
            #expect(ids == [4])
        }
    }

    @Test(
        "A step adds a reference of several columns; a row that breaks it prevents the opening",
        arguments: StoreKind.kept)
    func references(kind: StoreKind) async throws {
        struct Guest: Entity, Equatable {
            let id: Int
            var town: String
            var hall: Int
            static let schema = Schema(
                Column("id", \Guest.id), Column("town", \.town), Column("hall", \.hall), make: Guest.init)
        }
        struct Bound: Entity, Equatable {
            let id: Int
            var town: String
            var hall: Int
            static var entityName: String { "Guest" }
            static let schema = Schema(
                Column("id", \Bound.id), Column("town", \.town), Column("hall", \.hall),
                clauses: [.references([\.town, \.hall], Hall.self)], make: Bound.init)
        }
        let place = try StorePlace(kind)
        try await place.with([Hall.self, Guest.self]) { repository in
            _ = try await repository.create(Hall(town: "Ulm", number: 1, seats: 2)).value()
            _ = try await repository.insert([
                Guest(id: 1, town: "Ulm", hall: 1), Guest(id: 2, town: "Ulm", hall: 2),
            ]).value()
        }
        #expect(try place.mismatch([Hall.self, Bound.self]).contains("recreateTable(Guest.self)"))
        let step = Migration("bound") { store in _ = try store.recreateTable(Bound.self) }
        let refusal = try place.refusal([Hall.self, Bound.self], [step])
        #expect("\(refusal)".contains("1 "), "\(refusal)")
        try await place.with([Hall.self, Guest.self]) { repository in
            try await repository.delete(Guest.self, id: 2).value()
        }
        try await place.with([Hall.self, Bound.self], [step]) { repository in
            await expectFailure(\.isConstraint) {
                try await repository.create(Bound(id: 3, town: "Ulm", hall: 2)).value()
            }
            await expectFailure(\.isConstraint) {
                try await repository.delete(Hall.self, id: CompositeKey("Ulm", 1)).value()
            }
            let found = try await repository.fetch(Bound.all).value()
            #expect(found == [Bound(id: 1, town: "Ulm", hall: 1)])
        }
    }
}
