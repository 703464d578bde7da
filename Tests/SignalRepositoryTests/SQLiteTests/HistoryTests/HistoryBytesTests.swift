import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The bytes of a history entry") struct HistoryBytesTests {
    private func value(_ random: inout SeededGenerator) -> SQLValue {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .null
        case 1: .integer([0, 1, -1, .max, .min, 127, 128, -64, -65].randomElement(using: &random) ?? 0)
        case 2: .real([0, -0.0, 1.5, .infinity, -.infinity, .leastNonzeroMagnitude].randomElement(using: &random) ?? 0)
        case 3: .text(TextZoo.random(&random))
        case 4: .blob((0..<Int.random(in: 0..<300, using: &random)).map { UInt8(truncatingIfNeeded: $0) })
        default: .integer(Int64.random(in: .min ... .max, using: &random))
        }
    }

    private func table(_ random: inout SeededGenerator) -> TableHistory {
        let width = Int.random(in: 1...3, using: &random)
        // No two tables of an entry have the same name.
        let name = "\(TextZoo.random(&random)) \(UInt64.random(in: 0 ... .max, using: &random))"
        var table = TableHistory(name: name, key: (0..<width).map { "k\($0)" })
        func rows(_ count: Int, _ width: Int, _ random: inout SeededGenerator) -> [[SQLValue]] {
            (0..<count).map { _ in (0..<width).map { _ in value(&random) } }
        }
        table.inserted = rows([0, 1, 2, 200].randomElement(using: &random) ?? 0, width, &random)
        table.updated = rows(Int.random(in: 0...3, using: &random), width, &random)
        table.deleted = rows(Int.random(in: 0...3, using: &random), width, &random)
        if Bool.random(using: &random) {
            table.columns = (0...width).map { "c\($0)" }
            table.old = rows(table.updated.count + table.deleted.count, width + 1, &random)
        }
        return table
    }

    @Test("An entry is read as it was written, bit for bit", arguments: 0..<100)
    func again(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let tables = (0..<Int.random(in: 0...4, using: &random)).map { _ in table(&random) }
        let content = try HistoryBytes.content(of: HistoryBytes.bytes(of: tables))
        #expect(content.extent == .rows && content.tables == tables)
    }

    @Test("Consecutive numbers take two bytes each")
    func short() {
        var table = TableHistory(name: "Page", key: ["id"])
        table.inserted = (1_000_000..<1_001_000).map { [.integer($0)] }
        #expect(HistoryBytes.bytes(of: [table]).count < 2_030)
    }

    /// The same table under another name that SQLite considers equal.
    private func renamed(_ table: TableHistory) -> TableHistory {
        var table = table
        table.name = String(decoding: Identifier.key(table.name), as: UTF8.self)
        return table
    }

    @Test("S-M2 Truncated, changed and random bytes are at most an error, never a trap", arguments: 0..<100)
    func damaged(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let bytes = HistoryBytes.bytes(of: [table(&random), table(&random)])
        for _ in 0..<(isSoak ? 1_000 : 20) {
            var damaged = bytes
            if Bool.random(using: &random) {
                damaged.removeLast(Int.random(in: 1...damaged.count, using: &random))
            } else {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? HistoryBytes.content(of: damaged)
            let noise = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = try? HistoryBytes.content(of: [1] + noise)
        }
        let twice = [UInt8(1), 2] + bytes.dropFirst(2)
        let tables = try HistoryBytes.content(of: twice).tables
        for doubled in [[tables[0], tables[0]], [tables[0], renamed(tables[0])]] {
            #expect(throws: RepositoryError.self) {
                try HistoryBytes.content(of: HistoryBytes.bytes(of: doubled))
            }
        }
        // Old rows without columns.
        var narrow = table(&random)
        (narrow.columns, narrow.old) = ([], [[]])
        let odd = HistoryBytes.bytes(of: [narrow, table(&random)])
        #expect(throws: RepositoryError.self) { try HistoryBytes.content(of: odd) }
        #expect(throws: RepositoryError.self) { try HistoryBytes.content(of: []) }
        #expect(throws: RepositoryError.self) { try HistoryBytes.content(of: Array(bytes.dropLast())) }
        #expect(throws: RepositoryError.self) { try HistoryBytes.content(of: bytes + [0]) }
    }
}
