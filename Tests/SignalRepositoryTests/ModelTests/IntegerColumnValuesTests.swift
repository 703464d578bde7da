import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Integers") struct IntegerColumnValuesTests {
    private func roundTrip<Value: ColumnValue & Equatable & FixedWidthInteger>(_ type: Value.Type) throws {
        let memory = try Memory(Box<Value>.self)
        let values = [Value.min, Value.max, 0, 1, Value(truncatingIfNeeded: -1), Value(truncatingIfNeeded: 0x7F)]
            .filter { Int64(exactly: $0) != nil }
        let boxes = values.enumerated().map { Box(id: $0.offset, value: $0.element) }
        for box in boxes { try memory.insert(box) }
        #expect(try memory.items() == boxes)
    }

    @Test("The extremes of every width come back")
    func extremes() throws {
        try roundTrip(Int.self)
        try roundTrip(Int8.self)
        try roundTrip(Int16.self)
        try roundTrip(Int32.self)
        try roundTrip(Int64.self)
        try roundTrip(UInt.self)
        try roundTrip(UInt8.self)
        try roundTrip(UInt16.self)
        try roundTrip(UInt32.self)
        try roundTrip(UInt64.self)
    }

    @Test("Above Int64.max an unsigned integer is an encoding error that names the column")
    func tooLarge() throws {
        let memory = try Memory(Box<UInt64>.self)
        try memory.insert(Box(id: 1, value: UInt64(Int64.max)))
        let error = try thrown { () throws(RepositoryError) in
            try memory.insert(Box(id: 2, value: UInt64(Int64.max) + 1))
        }
        guard case .encoding("Box", "value", let detail, _) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail.contains("9223372036854775808"))
        #expect(try memory.items().count == 1)
    }

    @Test("A stored integer out of the type's range is a decoding error, not a wrong number")
    func outOfRange() throws {
        let memory = try Memory(Box<Int8>.self)
        try memory.connection.execute("INSERT INTO Box VALUES (1, 128)")
        let error = try thrown { () throws(RepositoryError) in try memory.items() }
        guard case .decoding("Box", "value", let detail, _) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail == "128 is out of the range of Int8")
    }

    @Test("A negative integer is not decoded as an unsigned one")
    func negative() throws {
        let memory = try Memory(Box<UInt32>.self)
        try memory.connection.execute("INSERT INTO Box VALUES (1, -1)")
        let error = try thrown { () throws(RepositoryError) in try memory.items() }
        guard case .decoding = error else { return #expect(Bool(false), "\(error)") }
    }

    @Test("A Bool is 0 or 1 and nothing else")
    func bool() throws {
        let memory = try Memory(Box<Bool>.self)
        try memory.insert(Box(id: 1, value: true))
        try memory.insert(Box(id: 2, value: false))
        #expect(try memory.items().map(\.value) == [true, false])
        #expect(try memory.connection.rows("SELECT value FROM Box") == [[.integer(1)], [.integer(0)]])
        try memory.connection.execute("UPDATE Box SET value = 2")
        let error = try thrown { () throws(RepositoryError) in try memory.items() }
        guard case .decoding(_, _, let detail, _) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail == "2 is neither 0 nor 1")
    }

    @Test("A condition binds the same value as a row")
    func sqlValue() throws {
        #expect(try Int64.min.sqlValue(scale: 4) == .integer(.min))
        #expect(try true.sqlValue(scale: 4) == .integer(1))
        #expect(throws: ColumnFault.self) { try UInt64.max.sqlValue(scale: 0) }
    }
}
