import SignalRepository
import Testing

@testable import SignalRepositoryPostgres

@Suite("The rows of a streamed table") struct StreamedTableTests {
    private static func number<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private static func binary(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(ascii: "b")] + number(UInt32(bytes.count)) + bytes
    }

    /// A table of a number, a floating-point number, a text and a point, whose type no property has.
    private let table = StreamedTable(
        StreamedRelation(
            number: 7, schema: "public", name: "Box",
            columns: [20, 701, 25, 600].map { StreamedRelation.Column(name: "c\($0)", type: $0) }),
        key: [0], version: "1")
    private let old: [SQLValue] = [.integer(1), .real(2), .text("old"), .blob([9])]

    /// The values of a row that arrives as these fields, in place of the old row.
    private func values(_ fields: [[UInt8]], before old: [SQLValue]? = nil) throws -> [SQLValue]? {
        let message = [UInt8(ascii: "I")] + Self.number(UInt32(7)) + [UInt8(ascii: "N")]
        let bytes = message + Self.number(UInt16(fields.count)) + fields.flatMap(\.self)
        return try bytes.withUnsafeBytes { bytes in
            guard case .insert(_, let tuple) = try ReplicationMessage(bytes) else { return nil }
            return try table.values(of: tuple, before: old)
        }
    }

    private let one = Self.binary(Self.number(Int64(1)))
    private let unchanged = [UInt8(ascii: "u")]
    private let null = [UInt8(ascii: "n")]

    private func real(_ number: Double) -> [UInt8] { Self.binary(Self.number(number.bitPattern)) }

    @Test("Each value is read as its column's type") func kinds() throws {
        let text = Self.binary(Array("new".utf8))
        #expect(
            try values([one, real(0.5), text, Self.binary([3])]) == [.integer(1), .real(0.5), .text("new"), .blob([3])])
        #expect(try values([null, null, null, null]) == [.null, .null, .null, .null])
        #expect(throws: ReplicationFault.self) { try self.values([Self.binary([1, 2, 3]), real(1), text, null]) }
        #expect(throws: ReplicationFault.self) { try self.values([one, real(1), Self.binary([0xFF]), null]) }
        #expect(throws: ReplicationFault.self) {
            try self.values([[UInt8(ascii: "t")] + Self.number(UInt32(1)) + [0x31], real(1), text, null])
        }
    }

    @Test("A large value that was not sent is that of the old row; without an old row, the row is unknown")
    func unchangedValues() throws {
        #expect(
            try values([one, real(3), unchanged, unchanged], before: old) == [
                .integer(1), .real(3), .text("old"), .blob([9]),
            ])
        #expect(try values([one, real(3), unchanged, null]) == nil)
        // Whatever comes after it.
        #expect(try values([unchanged, real(3), null, null]) == nil)
    }

    @Test("A row with NaN in it, or with other columns, is unknown") func notNumbers() throws {
        #expect(try values([one, real(.nan), null, null], before: old) == nil)
        #expect(try values([one, real(.nan), unchanged, null], before: old) == nil)
        #expect(try values([one, real(.infinity), null, null]) == [.integer(1), .real(.infinity), .null, .null])
        #expect(try values([one, real(1), null]) == nil)
    }

    @Test("A value in text format, of a type that no property has, is kept as its bytes")
    func spelled() throws {
        let point = [UInt8(ascii: "t")] + Self.number(UInt32(2)) + [0x31, 0x32]
        #expect(try values([one, null, null, point]) == [.integer(1), .null, .null, .blob([0x31, 0x32])])
    }
}
