import Testing

@testable import SignalRepositoryPostgres

@Suite("Messages of the stream") struct ReplicationMessageTests {
    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    private static func number<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private static func letter(_ letter: Unicode.Scalar) -> [UInt8] { [UInt8(ascii: letter)] }

    private static func binary(_ bytes: [UInt8]) -> [UInt8] { letter("b") + number(UInt32(bytes.count)) + bytes }

    private static let position = number(UInt64(0x1_0000_0002))
    private static let relation =
        letter("R") + number(UInt32(7)) + text("public") + text("Film \u{E9}") + letter("f") + number(UInt16(2))
        + [1] + text("id") + number(UInt32(20)) + number(Int32(-1))
        + [0] + text("title") + number(UInt32(25)) + number(Int32(-1))
    private static let row = number(UInt16(2)) + binary(number(Int64(3))) + letter("n")
    private static let large = number(UInt16(2)) + binary(number(Int64(3))) + letter("u")
    private static let spelled = number(UInt16(2)) + letter("t") + number(UInt32(1)) + letter("3") + binary([])

    /// Each kind of message once, and the text of its parsed form.
    private static let messages: [(bytes: [UInt8], told: String)] = [
        (letter("B") + position + position + number(UInt32(0xFFFF_FFFE)), "begin 4294967294"),
        (letter("C") + [0] + position + position + position, "commit 4294967298"),
        (letter("O") + position + text("elsewhere"), "origin"),
        (relation, "relation 7 Film \u{E9} id:20 title:25"),
        (letter("Y") + number(UInt32(9)) + text("public") + text("mood"), "type"),
        (letter("I") + number(UInt32(7)) + letter("N") + row, "insert 7 (3 null)"),
        (letter("I") + number(UInt32(7)) + letter("N") + number(UInt16(0)), "insert 7 ()"),
        (letter("U") + number(UInt32(7)) + letter("N") + row, "update 7 (3 null)"),
        (letter("U") + number(UInt32(7)) + letter("O") + row + letter("N") + large, "update 7 (3 null) (3 same)"),
        (letter("U") + number(UInt32(7)) + letter("K") + row + letter("N") + spelled, "update 7 key(3 null) ('3' )"),
        (letter("D") + number(UInt32(7)) + letter("O") + row, "delete 7 (3 null)"),
        (letter("D") + number(UInt32(7)) + letter("K") + row, "delete 7 key(3 null)"),
        (letter("T") + number(UInt32(2)) + [1] + number(UInt32(7)) + number(UInt32(8)), "truncate 7 8"),
        (letter("T") + number(UInt32(0)) + [0], "truncate"),
        (letter("M") + [1] + position + text("author") + number(UInt32(3)) + [1, 0, 255], "message author 1 0 255"),
        (letter("M") + [0] + position + text("") + number(UInt32(0)), "message at once"),
    ]

    private static func line(_ tuple: StreamedTuple?) throws -> String {
        guard let tuple else { return "" }
        var fields: [String] = []
        try tuple.forEach { _, field in
            switch field {
            case .null: fields.append("null")
            case .unchanged: fields.append("same")
            case .text(let bytes): fields.append("'\(String(decoding: bytes, as: UTF8.self))'")
            case .binary(let bytes) where bytes.count == 8:
                fields.append("\(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))")
            case .binary(let bytes): fields.append(bytes.map { "\($0)" }.joined())
            }
        }
        return "\(tuple.isComplete ? "" : "key")(\(fields.joined(separator: " ")))"
    }

    private static func line(_ message: ReplicationMessage) throws -> String {
        let parts: [String]
        switch message {
        case .begin(let transaction): parts = ["begin", "\(transaction)"]
        case .commit(let end): parts = ["commit", "\(end.number)"]
        case .origin: parts = ["origin"]
        case .type: parts = ["type"]
        case .relation(let relation):
            parts =
                ["relation", "\(relation.number)", relation.name]
                + relation.columns.map { "\($0.name):\($0.type)" }
        case .insert(let table, let new): parts = ["insert", "\(table)", try line(new)]
        case .update(let table, let old, let new): parts = ["update", "\(table)", try line(old), try line(new)]
        case .delete(let table, let old): parts = ["delete", "\(table)", try line(old)]
        case .truncate(let tables): parts = ["truncate"] + tables.map { "\($0)" }
        case .message(let isTransactional, let prefix, let content):
            parts = ["message", prefix, isTransactional ? "" : "at once"] + content.map { "\($0)" }
        }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func line(_ bytes: [UInt8]) throws -> String {
        try bytes.withUnsafeBytes { try line(ReplicationMessage($0)) }
    }

    @Test("Each message is parsed") func each() throws {
        for (bytes, told) in Self.messages { #expect(try Self.line(bytes) == told) }
    }

    @Test("A message that ends too early or too late is refused, wherever it is cut") func cut() throws {
        for (bytes, told) in Self.messages {
            for count in bytes.indices {
                #expect(throws: ReplicationFault.self, "\(told), \(count) of \(bytes.count)") {
                    try Self.line(Array(bytes.prefix(count)))
                }
            }
            #expect(throws: ReplicationFault.tooLong, "\(told)") { try Self.line(bytes + [0]) }
        }
    }

    @Test("An impossible length, number of values or letter is refused") func hostile() throws {
        let insert = Self.letter("I") + Self.number(UInt32(7)) + Self.letter("N")
        for length in [UInt32.max, UInt32(Int32.max), 0x8000_0000, 9] {
            let field = Self.letter("b") + Self.number(length) + [UInt8](repeating: 0, count: 8)
            #expect(throws: ReplicationFault.tooShort) { try Self.line(insert + Self.number(UInt16(1)) + field) }
            let message = Self.letter("M") + [1] + Self.position + Self.text("a") + Self.number(length)
            #expect(throws: ReplicationFault.tooShort) { try Self.line(message) }
        }
        #expect(throws: ReplicationFault.tooShort) { try Self.line(insert + Self.number(UInt16.max)) }
        let truncation = Self.letter("T") + Self.number(UInt32.max) + [0] + Self.number(UInt32(7))
        #expect(throws: ReplicationFault.tooShort) { try Self.line(truncation) }
        #expect(throws: ReplicationFault.unknown(UInt8(ascii: "x"))) {
            try Self.line(insert + Self.number(UInt16(1)) + Self.letter("x"))
        }
        #expect(throws: ReplicationFault.unknown(UInt8(ascii: "S"))) { try Self.line(Self.letter("S")) }
        #expect(throws: ReplicationFault.unknown(UInt8(ascii: "K"))) {
            try Self.line(Self.letter("I") + Self.number(UInt32(7)) + Self.letter("K") + Self.row)
        }
        #expect(throws: ReplicationFault.noText) {
            try Self.line(Self.letter("O") + Self.position + [0xFF, 0])
        }
    }

    @Test("A frame contains a message, or the server's position") func frames() throws {
        let begin = Self.messages[0].bytes
        let data = Self.letter("w") + Self.position + Self.position + Self.position + begin
        try data.withUnsafeBytes { bytes in
            guard case .message(let message) = try ReplicationFrame(bytes) else { return #expect(Bool(false)) }
            #expect(try Self.line(ReplicationMessage(message)) == Self.messages[0].told)
        }
        let alive = Self.letter("k") + Self.position + Self.position + [1]
        try alive.withUnsafeBytes { bytes in
            guard case .keepalive(let position, true) = try ReplicationFrame(bytes) else {
                return #expect(Bool(false))
            }
            #expect(position.number == 0x1_0000_0002)
        }
        for count in alive.indices {
            #expect(throws: ReplicationFault.tooShort) {
                try alive.prefix(count).withUnsafeBytes { _ = try ReplicationFrame($0) }
            }
        }
        #expect(throws: ReplicationFault.unknown(UInt8(ascii: "r"))) {
            try Self.letter("r").withUnsafeBytes { _ = try ReplicationFrame($0) }
        }
        #expect(throws: ReplicationFault.tooLong) {
            try (alive + [0]).withUnsafeBytes { _ = try ReplicationFrame($0) }
        }
        try (alive.dropLast() + [0]).withUnsafeBytes { bytes in
            guard case .keepalive(_, false) = try ReplicationFrame(bytes) else { return #expect(Bool(false)) }
        }
    }

    @Test("A snapshot sees transactions that had ended, by the low 32 bits of their numbers") func snapshots() throws {
        let snapshot = try #require(ServerSnapshot("100:110:103,107"))
        #expect([99, 100, 102, 104, 109].allSatisfy { snapshot.sees($0) })
        #expect([103, 107, 110, 111, 4_000].allSatisfy { !snapshot.sees($0) })
        // The numbers have wrapped around: earlier ones are near the end of 32 bits.
        let late = try #require(ServerSnapshot("8589934590:8589934594:8589934591"))
        #expect([UInt32.max - 1, 0, 1].allSatisfy { late.sees($0) })
        #expect([UInt32.max, 2, 3].allSatisfy { !late.sees($0) })
        let texts = [
            "", ":", "1", "1:2", "1:2:x", "2:1:", "a:2:", "1:2:3:4", "-1:2:", "1,2:", "1:2:3,", "1:2:,3", "::",
            "1:99999999999999999999:",
        ]
        for text in texts {
            #expect(ServerSnapshot(text) == nil, "\(text)")
        }
        #expect(try #require(ServerSnapshot("7:18446744073709551615:")).end == .max)
        let beginning = try #require(ServerSnapshot("100:106:103"))
        #expect(snapshot.contains(beginning) && snapshot.contains(snapshot) && !beginning.contains(snapshot))
        #expect(try !#require(ServerSnapshot("100:110:101")).contains(beginning))
    }

    @Test("Positions are ordered by their numbers, from zero on") func positions() {
        #expect(WALPosition.zero.number == 0 && WALPosition.zero < WALPosition(1))
        #expect(!(WALPosition(1) < WALPosition(1)) && !(WALPosition(2) < WALPosition(1)))
    }
}
