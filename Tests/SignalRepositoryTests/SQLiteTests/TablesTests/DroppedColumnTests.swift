import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Columns that are no longer declared", .timeLimit(.minutes(10))) struct DroppedColumnTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    struct Ticket: Entity {
        let id: Int
        var gross: Int?
        static let schema = Schema(Column("id", \Ticket.id), Column("gross", \.gross), make: Ticket.init)
    }

    /// The same table, after its property was renamed.
    struct NewTicket: Entity {
        let id: Int
        var boxOffice: Int?
        static let entityName = "Ticket"
        static let schema = Schema(
            Column("id", \NewTicket.id), Column("boxOffice", \.boxOffice), make: NewTicket.init)
    }

    private func write(
        _ entity: any Entity.Type, dropping: [DroppedColumn] = [], migrations: [Migration] = [],
        _ body: (Connection) throws -> Void = { _ in }
    ) throws {
        let store = try OpenedStore(
            .file(folder.file()), entities: [entity], migrations: migrations, dropping: dropping)
        let writer = try #require(store.writer)
        try body(writer)
        writer.close()
    }

    /// Makes a store with tickets, whose values may be `nil`.
    private func place(_ kind: StoreKind, _ values: [Int?]) async throws -> StorePlace {
        let place = try StorePlace(kind)
        try await place.with([Ticket.self]) { repository async throws in
            let tickets = values.enumerated().map { Ticket(id: $0 + 1, gross: $1) }
            try await repository.insert(tickets).value()
        }
        return place
    }

    private func expectNone(_ repository: any Repository) async throws {
        #expect(try await repository.fetch(NewTicket.all).value().map(\.boxOffice) == [nil])
    }

    @Test(
        "R19 A column with values is not dropped automatically: the error counts them, and nothing changes",
        arguments: StoreKind.kept)
    func refused(kind: StoreKind) async throws {
        let place = try await place(kind, [5, 6, nil])
        let detail = try place.mismatch([NewTicket.self])
        #expect(detail.contains("Ticket.gross is no longer declared and holds 2 values"))
        #expect(detail.contains("dropping: [.column(\"gross\", of: Ticket.self)]"))
        try await place.with([Ticket.self]) { repository async throws in
            #expect(try await repository.fetch(Ticket.all.sorted(by: \.id)).value().map(\.gross) == [5, 6, nil])
        }
    }

    @Test("A column is dropped when the program lists it, and may stay in the list", arguments: StoreKind.kept)
    func said(kind: StoreKind) async throws {
        let place = try await place(kind, [5])
        for _ in 0..<2 {
            try await place.with([NewTicket.self], dropping: [.column("gross", of: NewTicket.self)], expectNone)
        }
        let error = try thrown { () throws(RepositoryError) in
            try place.open([NewTicket.self], dropping: [.column("boxOffice", of: NewTicket.self)])
        }
        #expect(error.isMisuse)
    }

    @Test("An empty column is dropped automatically", arguments: StoreKind.kept)
    func empty(kind: StoreKind) async throws {
        try await place(kind, [nil]).with([NewTicket.self]) { try await expectNone($0) }
    }

    @Test(
        "A migration that renames the column keeps its values; one that does not is refused, and nothing changes",
        arguments: StoreKind.kept)
    func migrated(kind: StoreKind) async throws {
        let place = try await place(kind, [5])
        _ = try place.refusal([NewTicket.self], [Migration("nothing")])
        let renaming = Migration("gross becomes boxOffice") { store in
            try store.execute(#"ALTER TABLE "Ticket" RENAME COLUMN gross TO "boxOffice""#)
        }
        try await place.with([NewTicket.self], [renaming]) { repository async throws in
            #expect(try await repository.fetch(NewTicket.all).value().map(\.boxOffice) == [5])
        }
    }

    // This test reads the catalog of a file.
    @Test("Another program's index on the column is dropped with it, and one on another column stays")
    func strangersIndex() throws {
        try write(Ticket.self) { writer throws in
            try writer.execute("CREATE INDEX mine ON Ticket(gross, id)")
            try writer.execute("CREATE INDEX other ON Ticket(id)")
        }
        for _ in 0..<2 {
            try write(NewTicket.self) { writer throws in
                #expect(try writer.rows("SELECT name FROM pragma_index_list('Ticket')") == [[.text("other")]])
            }
        }
    }
}
