import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// The schema that a migration step finds on a server, and leaves there, before any inferred step.
@Suite("The steps of a migration on a server", .timeLimit(.minutes(10))) struct ServerStepsTests {
    private let place: StorePlace

    init() throws { place = try StorePlace(.postgres) }

    private static func texts(_ texts: String...) -> [[SQLValue]] { texts.map { [.text($0)] } }

    /// The references of the schema that the server enforces, by their names.
    private func references() throws -> [[SQLValue]] {
        try place.rows(
            """
            SELECT conname::text FROM pg_constraint \
            WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 1
            """)
    }

    @Test("Before the first step runs, every table of the store is locked, and no other one")
    func locked() async throws {
        try place.run("CREATE TABLE own (x bigint)")
        try await place.with([Shelf.self, Box<Int>.self]) { _ in }
        let runs = Counter()
        let step = Migration("nothing") { store in
            let rows = try store.rows(
                """
                SELECT c.relname::text FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation \
                WHERE l.pid = pg_backend_pid() AND l.mode = 'AccessExclusiveLock' AND c.relkind = 'r' ORDER BY 1
                """)
            #expect(rows == Self.texts("Box", "Shelf"))
            runs.add()
        }
        try await place.with([Shelf.self, Box<Int>.self], [step]) { _ in }
        #expect(runs.value == 1)
    }

    @Test("A renamed table keeps its key and its indexes, which take the new names of the table and of its columns")
    func renamed() async throws {
        let indexes = """
            SELECT oid::bigint, relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
            AND relkind = 'i' AND relname LIKE '%(%' ORDER BY oid
            """
        try await place.with([Shelf.self]) { _ in }
        let before = try place.rows(indexes)
        #expect(before.map { $0[1] } == [.text("key_Shelf(id)"), .text("index_Shelf(rank)")])
        let table = Migration("boards") { try $0.renameTable("Shelf", to: "Board") }
        try await place.with([Board.self], [table]) { _ in }
        let renamed = try place.rows(indexes)
        #expect(renamed.map { $0[1] } == [.text("key_Board(id)"), .text("index_Board(rank)")])
        let column = Migration("numbers") { try $0.renameColumn("id", to: "number", of: "Board") }
        try await place.with([NumberedBoard.self], [table, column]) { _ in }
        let after = try place.rows(indexes)
        #expect(after.map { $0[1] } == [.text("key_Board(number)"), .text("index_Board(rank)")])
        #expect(before.map { $0[0] } == renamed.map { $0[0] } && before.map { $0[0] } == after.map { $0[0] })
    }

    @Test("A table that a step recreates has its indexes, checks and defaults within the step, and generates free keys")
    func again() async throws {
        try await place.with([OldTicket.self]) { repository in
            try await repository.insert([
                OldTicket(id: 1, name: "a", place: 1), OldTicket(id: 2, name: "b", place: 2),
            ]).value()
        }
        try place.run("ALTER TABLE \"Ticket\" ADD CONSTRAINT own CHECK (place < 100)")
        let step = Migration("tickets give numbers") { store in
            let count = try store.recreateTable(Ticket.self, from: ["code": "name"])
            let checks = try store.rows(
                """
                SELECT conname::text FROM pg_constraint \
                WHERE contype = 'c' AND conrelid = to_regclass('"Ticket"') ORDER BY 1
                """)
            let indexes = try store.rows(
                """
                SELECT indexname::text FROM pg_indexes \
                WHERE schemaname = current_schema() AND tablename = 'Ticket' ORDER BY 1
                """)
            #expect(count == 2 && checks == Self.texts("check_Ticket(place)", "own"))
            #expect(indexes == Self.texts("key_Ticket(id)", "unique_Ticket(code)"))
            let created = try store.create(Ticket(id: 0, code: "c", place: 3, rating: 1))
            #expect(created.id == 3)
        }
        for _ in 0..<2 {
            try await place.with([Ticket.self], [step]) { repository in
                let tickets = try await repository.fetch(Ticket.all.sorted(by: \.id)).value()
                #expect(
                    tickets == [
                        Ticket(id: 1, code: "a", place: 1, rating: 5), Ticket(id: 2, code: "b", place: 2, rating: 5),
                        Ticket(id: 3, code: "c", place: 3, rating: 1),
                    ])
                for (code, place) in [("a", 4), ("d", 0), ("d", 100)] {
                    await expectFailure(\.isConstraint) {
                        try await repository.create(Ticket(id: 0, code: code, place: place, rating: 1)).value()
                    }
                }
            }
        }
    }

    @Test("In the step that copies a table, the keys of the new one go on after the copied ones")
    func copied() async throws {
        try await place.with([Early.self]) { repository in
            try await repository.insert([Early(id: 1, name: "a"), Early(id: 2, name: "b")]).value()
        }
        let step = Migration("copied") { store in
            try store.createTable(Later.self)
            let count = try store.copy("Early", to: Later.self)
            let created = try store.create(Later(id: 0, name: "c"))
            #expect(count == 2 && created.id == 3)
            try store.dropTable("Early")
        }
        try await place.with([Later.self], [step]) { repository in
            let items = try await repository.fetch(Later.all.sorted(by: \.id)).value()
            #expect(items.map(\.name) == ["a", "b", "c"])
        }
    }

    @Test("A computed column keeps its values when it becomes a stored one")
    func stored() async throws {
        try await place.with([SummedParcel.self]) { repository in
            try await repository.insert([
                SummedParcel(id: 1, weight: 1, sum: 0), SummedParcel(id: 2, weight: 2, sum: 0),
            ]).value()
        }
        let step = Migration("stored") { store in
            let count = try store.recreateTable(PlainParcel.self)
            #expect(count == 2)
        }
        try await place.with([PlainParcel.self], [step]) { repository in
            try await repository.create(PlainParcel(id: 3, weight: 3, sum: 9)).value()
            let sums = try await repository.fetch(PlainParcel.all.sorted(by: \.id)).value().map(\.sum)
            #expect(sums == [2, 3, 9])
        }
    }

    @Test(
        "A column loses its reference once it is changed, or its table made again, without one",
        arguments: [false, true])
    func unbound(isRecreated: Bool) async throws {
        try await place.with([OldFilm.self, OldNotice.self]) { repository in
            try await repository.create(OldFilm(id: 1, title: "one", studio: nil, gross: 1)).value()
            try await repository.create(OldNotice(id: 1, film: 1)).value()
        }
        // Without this index, nothing else is made again with the column.
        try place.run("DROP INDEX \"index_Review(film)\"")
        let step = Migration("unbound") { store in
            guard isRecreated else { return try store.changeColumn(\Unbound.film, from: Int.self) { $0 } }
            try store.recreateTable(Unbound.self)
        }
        for _ in 0..<2 {
            try await place.with([OldFilm.self, Unbound.self], [step]) { repository in
                let items = try await repository.fetch(Unbound.all).value()
                #expect(items == [Unbound(id: 1, film: 1)])
            }
        }
        #expect(try references().isEmpty)
    }

    @Test("A new column gets its comment and its reference")
    func bound() async throws {
        try await place.with([OldFilm.self, Seat.self]) { try await $0.create(Seat(id: 1)).value() }
        for access in [StoreAccess.readWrite, .readOnly] {
            let repository = try place.open([OldFilm.self, BoundSeat.self], access: access)
            let seats = try await repository.fetch(BoundSeat.all).value()
            #expect(seats == [BoundSeat(id: 1, film: nil, price: 2.5)])
            await closed(repository)
        }
        #expect(try references() == Self.texts("reference_Seat(film)"))
        let comment = """
            SELECT col_description(attrelid, attnum) FROM pg_attribute \
            WHERE attrelid = to_regclass('"Seat"') AND attname = 'price'
            """
        #expect(try place.rows(comment) == Self.texts("/* scale 2 */"))
    }

    @Test("A column that a step changes has its declared default")
    func defaults() async throws {
        try await place.with([OldGrade.self]) { try await $0.create(OldGrade(id: 1, level: "7")).value() }
        let step = Migration("levels are numbers") { store in
            try store.changeColumn(\Grade.level, from: String.self) { Int($0) ?? 0 }
        }
        try await place.with([Grade.self], [step]) { repository in
            let items = try await repository.fetch(Grade.all).value()
            #expect(items == [Grade(id: 1, level: 7)])
        }
        try place.run("INSERT INTO \"Grade\" (id) VALUES (2)")
        #expect(try place.rows("SELECT level FROM \"Grade\" WHERE id = 2") == [[.integer(3)]])
    }

    @Test("A search covers another column once that is declared, and is removed once none is declared")
    func searched() async throws {
        let columns = """
            SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('"Page"') AND NOT attisdropped \
            AND attname = 'signal_repository_search'
            """
        try await place.with([TitlePage.self]) { repository in
            try await repository.create(TitlePage(id: 1, title: "fox", text: "hare")).value()
        }
        try await place.with([Sheet.self]) { repository in
            let found = try await repository.fetch(Sheet.matching("hare")).value().map(\.item.id)
            #expect(found == [1])
        }
        #expect(try place.rows(columns) == [[.integer(1)]])
        try await place.with([PlainPage.self]) { _ in }
        #expect(try place.rows(columns) == [[.integer(0)]])
    }

    @Test("A view's query is known, and none of its columns")
    func view() throws {
        try place.run("CREATE VIEW odd AS SELECT 1::bigint AS id, 2::bigint AS x; COMMENT ON VIEW odd IS 'its query'")
        let connection = try PostgresConnection(place.parameters)
        let shape = try SchemaShape(connection, tables: ["odd"], reportedBy: .replication)
        let view = try #require(shape.table(named: "odd"))
        #expect(view.fault == "a view" && view.shape?.view == "its query" && view.shape?.columns.isEmpty == true)
        connection.close()
    }
}

private struct Shelf: Entity {
    let id: Int
    var rank: Int
    static let schema = Schema(Column("id", \Shelf.id), Column("rank", \.rank, .indexed), make: Shelf.init)
}

private struct Board: Entity {
    let id: Int
    var rank: Int
    static let schema = Schema(Column("id", \Board.id), Column("rank", \.rank, .indexed), make: Board.init)
}

private struct NumberedBoard: Entity {
    let id: Int
    var rank: Int
    static let entityName = "Board"
    static let schema = Schema(
        Column("number", \NumberedBoard.id, .key), Column("rank", \.rank, .indexed), make: NumberedBoard.init)
}

private struct OldTicket: Entity {
    let id: Int
    var name: String
    var place: Int
    static let entityName = "Ticket"
    static let schema = Schema(
        Column("id", \OldTicket.id), Column("name", \.name), Column("place", \.place),
        clauses: [.check("place") { $0.place > 0 }], make: OldTicket.init)
}

private struct Ticket: Entity, Equatable {
    let id: Int
    var code: String
    var place: Int
    var rating: Int
    static let schema = Schema(
        Column("id", \Ticket.id, .generated), Column("code", \.code, .unique), Column("place", \.place),
        Column("rating", \.rating, .default(5)), clauses: [.check("place") { $0.place > 0 }], make: Ticket.init)
}

private struct Early: Entity {
    let id: Int
    var name: String
    static let schema = Schema(Column("id", \Early.id), Column("name", \.name), make: Early.init)
}

private struct Later: Entity {
    let id: Int
    var name: String
    static let schema = Schema(Column("id", \Later.id, .generated), Column("name", \.name), make: Later.init)
}

private struct SummedParcel: Entity {
    let id: Int
    var weight: Double
    var sum: Double
    static let entityName = "Parcel"
    static let schema = Schema(
        Column("id", \SummedParcel.id), Column("weight", \.weight), Column("sum", \.sum, computed: { $0.weight + 1 }),
        make: SummedParcel.init)
}

private struct PlainParcel: Entity {
    let id: Int
    var weight: Double
    var sum: Double
    static let entityName = "Parcel"
    static let schema = Schema(
        Column("id", \PlainParcel.id), Column("weight", \.weight), Column("sum", \.sum), make: PlainParcel.init)
}

private struct Unbound: Entity, Equatable {
    let id: Int
    var film: Int
    static let entityName = "Review"
    static let schema = Schema(Column("id", \Unbound.id), Column("film", \.film), make: Unbound.init)
}

private struct Seat: Entity {
    let id: Int
    static let schema = Schema(Column("id", \Seat.id), make: Seat.init)
}

private struct BoundSeat: Entity, Equatable {
    let id: Int
    var film: Int?
    var price: Decimal
    static let entityName = "Seat"
    static let schema = Schema(
        Column("id", \BoundSeat.id), Column("film", \.film, .references(OldFilm.self)),
        Column("price", \.price, .scale(2), .default(2.5)), make: BoundSeat.init)
}

private struct OldGrade: Entity {
    let id: Int
    var level: String
    static let entityName = "Grade"
    static let schema = Schema(Column("id", \OldGrade.id), Column("level", \.level), make: OldGrade.init)
}

private struct Grade: Entity, Equatable {
    let id: Int
    var level: Int
    static let schema = Schema(Column("id", \Grade.id), Column("level", \.level, .default(3)), make: Grade.init)
}

private struct TitlePage: Entity {
    let id: Int
    var title: String
    var text: String
    static let entityName = "Page"
    static let schema = Schema(
        Column("id", \TitlePage.id), Column("title", \.title), Column("text", \.text), search: [\.title],
        make: TitlePage.init)
}

private struct Sheet: Entity {
    let id: Int
    var title: String
    var text: String
    static let entityName = "Page"
    static let schema = Schema(
        Column("id", \Sheet.id), Column("title", \.title), Column("text", \.text), search: [\.title, \.text],
        make: Sheet.init)
}

private struct PlainPage: Entity {
    let id: Int
    var title: String
    var text: String
    static let entityName = "Page"
    static let schema = Schema(
        Column("id", \PlainPage.id), Column("title", \.title), Column("text", \.text), make: PlainPage.init)
}
