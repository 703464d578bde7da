import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Values as a server sends them")
struct WireValueTests {
    /// Passes the cells of values to `body`, with their bytes at both odd and even addresses.
    private func withRow(_ values: [(WireValue.Kind, [UInt8])], _ body: (RowSource) throws -> Void) throws {
        let bytes = values.map { [UInt8](repeating: 0, count: 1) + $0.1 }
        let start = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.joined().count + 1)
        let row = UnsafeMutablePointer<WireValue>.allocate(capacity: values.count)
        defer {
            start.deallocate()
            row.deallocate()
        }
        var next = start
        for (index, value) in values.enumerated() {
            next.initialize(from: bytes[index], count: bytes[index].count)
            let isNull = value.0 == .null
            (row + index).initialize(
                to: isNull ? .null : WireValue(value.0, next + 1, count: Int32(value.1.count)))
            next += bytes[index].count
        }
        try body(RowSource(values: UnsafePointer(row)))
    }

    private func cell(_ row: RowSource, _ index: Int32) -> ColumnCell { ColumnCell(row, index: index, scale: 0) }

    private func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    @Test("Whole numbers of every width, and Booleans")
    func integers() throws {
        let values: [(Int64, [UInt8])] = [
            (.min, big(Int64.min)), (.max, big(Int64.max)), (0, big(Int64(0))), (-1, big(Int64(-1))),
            (Int64(Int32.min), big(Int32.min)), (Int64(Int32.max), big(Int32.max)), (-2, big(Int32(-2))),
            (Int64(Int16.min), big(Int16.min)), (258, big(Int16(258))), (1, [1]), (0, [0]),
        ]
        try withRow(values.map { (.integer, $0.1) }) { row throws in
            for (index, value) in values.enumerated() {
                #expect(try cell(row, Int32(index)).integer() == value.0)
                #expect(try SQLValue(cell(row, Int32(index))) == .integer(value.0))
            }
        }
    }

    @Test("Floating-point numbers, bit for bit")
    func reals() throws {
        let numbers: [Double] = [
            0, -0.0, 1.5, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan,
        ]
        try withRow(numbers.map { (.real, big($0.bitPattern)) } + [(.real, big(Float(1.25).bitPattern))]) {
            row throws in
            for (index, number) in numbers.enumerated() {
                #expect(try cell(row, Int32(index)).real().bitPattern == number.bitPattern)
            }
            #expect(try cell(row, Int32(numbers.count)).real() == 1.25)
        }
    }

    @Test("Texts and bytes of any length, and NULL")
    func texts() throws {
        let texts = ["", "a", "é", "e\u{301}", "\u{0}", String(repeating: "日", count: 10_000), "\u{10FFFF}"]
        try withRow(texts.map { (.text, Array($0.utf8)) } + [(.blob, [0, 255]), (.blob, []), (.null, [])]) {
            row throws in
            for (index, text) in texts.enumerated() {
                #expect(try Array(cell(row, Int32(index)).text().utf8) == Array(text.utf8))
                #expect(!cell(row, Int32(index)).isNull)
            }
            let count = Int32(texts.count)
            #expect(try cell(row, count).withBytes { Array($0) } == [0, 255])
            #expect(try cell(row, count + 1).withBytes { $0.isEmpty })
            #expect(cell(row, count + 2).isNull && !cell(row, count + 1).isNull)
            #expect(try SQLValue(cell(row, count + 2)) == .null)
        }
    }

    @Test("A malformed value is a fault, whatever its length")
    func faults() throws {
        let hostile: [(WireValue.Kind, [UInt8])] = [
            (.integer, []), (.integer, [1, 2, 3]), (.integer, Array(repeating: 1, count: 16)), (.real, [0, 0]),
            (.real, []), (.text, [0xFF]), (.text, [0xC3]), (.null, []),
        ]
        try withRow(hostile) { row throws in
            for index in 0..<3 { #expect(throws: ColumnFault.self) { try cell(row, Int32(index)).integer() } }
            for index in 3..<5 { #expect(throws: ColumnFault.self) { try cell(row, Int32(index)).real() } }
            for index in 5..<7 { #expect(throws: ColumnFault.self) { try cell(row, Int32(index)).text() } }
            for index in 0..<Int32(hostile.count) {
                #expect(throws: ColumnFault.self) { try cell(row, index).withBytes { $0.count } }
            }
            #expect(throws: ColumnFault.self) { try cell(row, 7).integer() }
            #expect(throws: ColumnFault.self) { try cell(row, 0).text() }
            #expect(throws: ColumnFault.self) { try cell(row, 5).real() }
        }
    }

    @Test("A row that is part of another starts at the given column")
    func parts() throws {
        try withRow((0..<5).map { (.integer, big(Int64($0))) }) { row throws in
            for first in 0..<5 {
                let part = row.advanced(by: first)
                for index in 0..<(5 - first) {
                    #expect(try cell(part, Int32(index)).integer() == Int64(first + index))
                }
            }
        }
    }
}
