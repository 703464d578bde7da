import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Raw values") struct RawColumnValueTests {
    @Test("An enum is stored as its raw value")
    func enums() throws {
        let memory = try Memory(Box<Genre>.self)
        try memory.insert(Box(id: 1, value: .drama))
        try memory.insert(Box(id: 2, value: .sciFi))
        #expect(try memory.items().map(\.value) == [.drama, .sciFi])
        #expect(try memory.connection.rows("SELECT value FROM Box") == [[.text("drama")], [.text("sci-fi")]])
    }

    @Test("A stored value that is not a case is a decoding error that names the value")
    func unknown() throws {
        let memory = try Memory(Box<Genre>.self)
        try memory.connection.execute("INSERT INTO Box VALUES (1, 'western')")
        let error = try thrown { () throws(RepositoryError) in try memory.items() }
        guard case .decoding("Box", "value", let detail, _) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail == "\"western\" is not a raw value of Genre")
    }

    @Test("A raw-representable struct, such as a typed id, is stored as its raw value and can be a key")
    func typedID() throws {
        let memory = try Memory(Ticket.self)
        try memory.insert(Ticket(id: TicketID(rawValue: 7), seat: Seats(rawValue: 5)))
        #expect(try memory.items() == [Ticket(id: TicketID(rawValue: 7), seat: [.aisle, .front])])
        #expect(try memory.connection.rows("SELECT rowid, seat FROM Ticket") == [[.integer(7), .integer(5)]])
    }
}

private enum Genre: String, ColumnValue {
    case drama
    case sciFi = "sci-fi"
}

private struct TicketID: RawRepresentable, Hashable, ColumnValue {
    let rawValue: Int64
}

private struct Seats: OptionSet, ColumnValue {
    let rawValue: Int
    static let aisle = Seats(rawValue: 1)
    static let front = Seats(rawValue: 4)
}

private struct Ticket: Entity, Equatable {
    let id: TicketID
    var seat: Seats
    static let schema = Schema(Column("id", \Ticket.id), Column("seat", \.seat), make: Ticket.init)
}
