import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Optionals") struct OptionalColumnValueTests {
    private func roundTrip<Value: ColumnValue & Equatable>(_ value: Value) throws {
        let memory = try Memory(Box<Value?>.self)
        try memory.insert(Box(id: 1, value: value))
        try memory.insert(Box(id: 2, value: nil))
        #expect(try memory.items().map(\.value) == [value, nil])
        #expect(try memory.connection.integer("SELECT count(*) FROM Box WHERE value IS NULL") == 1)
    }

    @Test("nil is stored as NULL, and a value as itself")
    func everyType() throws {
        try roundTrip(Int.min)
        try roundTrip(true)
        try roundTrip(1.5)
        try roundTrip("")
        try roundTrip(Data())
        try roundTrip(UUID())
        try roundTrip(Decimal(12))
        try roundTrip(Date())
        try roundTrip(Grade.high)
    }

    @Test("An optional of an optional is refused: its two kinds of nil would come back as one")
    func twice() throws {
        let error = try thrown { () throws(RepositoryError) in try Memory(Box<Int??>.self) }
        guard case .misuse = error else { return #expect(Bool(false), "\(error)") }
    }

    @Test("NULL in a column that is not optional is refused by the table")
    func required() throws {
        let memory = try Memory(Box<Int>.self)
        let error = try thrown { () throws(RepositoryError) in
            try memory.connection.execute("INSERT INTO Box VALUES (1, NULL)")
        }
        guard case .constraint(.notNull, ["value"], _, _) = error else { return #expect(Bool(false), "\(error)") }
    }
}

private enum Grade: Int, ColumnValue { case low, high }
