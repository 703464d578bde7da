import Foundation
import Testing

@testable import SignalRepository

@Suite("Columns that are not declared any more", .timeLimit(.minutes(10))) struct DroppedColumnTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    struct Ticket: Entity {
        let id: Int
        var gross: Int?
        static let schema = Schema(Column("id", \Ticket.id), Column("gross", \.gross), make: Ticket.init)
    }

    /// The property was renamed.
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

    @Test("R19 A column with values is not dropped by itself: the error says how many, and nothing is touched")
    func refused() throws {
        try write(Ticket.self) { try $0.execute("INSERT INTO Ticket VALUES (1, 5), (2, 6), (3, NULL)") }
        let before = try folder.contents()
        let error = try thrown { () throws(RepositoryError) in
            try OpenedStore(.file(folder.file()), entities: [NewTicket.self])
        }
        guard case .schemaMismatch(let detail) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail.contains("Ticket.gross is no longer declared, and dropping it would delete 2 values"))
        #expect(detail.contains("dropping: [.column(\"gross\", of: Ticket.self)]"))
        #expect(try folder.contents() == before)
    }

    @Test("It goes when the program says so, and may stay in the list")
    func said() throws {
        try write(Ticket.self) { try $0.execute("INSERT INTO Ticket VALUES (1, 5)") }
        for _ in 0..<2 {
            try write(NewTicket.self, dropping: [.column("gross", of: NewTicket.self)]) { writer throws in
                #expect(try writer.rows("SELECT * FROM Ticket") == [[.integer(1), .null]])
            }
        }
        let error = try thrown { () throws(RepositoryError) in
            try OpenedStore(
                .file(folder.file()), entities: [NewTicket.self],
                dropping: [.column("boxOffice", of: NewTicket.self)])
        }
        #expect(error.isMisuse)
    }

    @Test("An empty one goes by itself")
    func empty() throws {
        try write(Ticket.self) { try $0.execute("INSERT INTO Ticket VALUES (1, NULL)") }
        try write(NewTicket.self) { writer throws in
            #expect(try writer.rows("SELECT * FROM Ticket") == [[.integer(1), .null]])
        }
    }

    @Test("An index that somebody else made on it goes with it, and one on another column stays")
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

    @Test("A step that renames it keeps the values; one that forgets it is refused and leaves everything")
    func migrated() throws {
        try write(Ticket.self) { try $0.execute("INSERT INTO Ticket VALUES (1, 5)") }
        let forgetful = Migration("nothing")
        let before = try folder.contents().filter { !$0.key.hasSuffix("-lock") }
        #expect(throws: RepositoryError.self) { try write(NewTicket.self, migrations: [forgetful]) }
        #expect(try folder.contents().filter { !$0.key.hasSuffix("-lock") } == before)
        let renaming = Migration("gross becomes boxOffice") { store in
            try store.execute("ALTER TABLE Ticket RENAME COLUMN gross TO boxOffice")
        }
        try write(NewTicket.self, migrations: [renaming]) { writer throws in
            #expect(try writer.rows("SELECT boxOffice FROM Ticket") == [[.integer(5)]])
        }
    }
}
