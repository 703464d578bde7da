import Foundation
import Testing

@testable import PlaygroundKit

@Suite("Reading JSON")
struct JSONRecordReaderTests {
    @Test("An array is split into its elements, byte for byte, each with the line on which it begins")
    func array() throws {
        let rows = try read("[\r\n {\"a\": 1.50},\r\n\r\n {\"b\":\r\n [1, {\"c\": \"]}\"}]}\r\n]\r\n", isArray: true)
        #expect(rows.map(\.line) == [2, 4])
        #expect(rows.map(text) == ["{\"a\": 1.50}", "{\"b\":\r\n [1, {\"c\": \"]}\"}]}"])
    }

    @Test("NDJSON is split into its lines; blank lines are skipped but counted")
    func lines() throws {
        let rows = try read("{\"a\":1}\n\n\r\n  {\"b\":-0.5e+3}\r\n42\n\"x\"\n7", isArray: false)
        #expect(rows.map(\.line) == [1, 4, 5, 6, 7])
        #expect(rows.map(text) == ["{\"a\":1}", "{\"b\":-0.5e+3}", "42", "\"x\"", "7"])
    }

    @Test("A byte order mark is skipped", arguments: [true, false])
    func byteOrderMark(isArray: Bool) throws {
        let rows = try read("\u{FEFF}" + (isArray ? "[{}]" : "{}\n"), isArray: isArray)
        #expect(rows.map(text) == ["{}"])
    }

    @Test("An empty array has no rows")
    func emptyArray() throws {
        #expect(try read(" [ ] ", isArray: true).isEmpty)
    }

    @Test(
        "A malformed array is an error with its line and column",
        arguments: [
            ("", "the input is empty"),
            (" \n ", "the input is empty"),
            ("{}", "line 1, column 1: '{' stands where the array's [ is expected"),
            ("[\n{\"a\":1},\n{\"a\":1,}]", "line 3, column 8: '}' stands where a key in quotes is expected"),
            ("[{} {}]", "line 1, column 5: '{' stands where a comma or ] is expected"),
            ("[{}]\n x", "line 2, column 2: 'x' stands after the array's end"),
            ("[{}", "the input ends inside the array"),
            ("[{},", "the input ends inside the array"),
            ("[{\"a\":\"b", "the input ends inside a row"),
            ("[tru]", "']' stands where true, false or null is expected"),
            ("[01]", "'1' stands where the end of a number that begins with 0 is expected"),
            ("[1.]", "']' stands where a digit is expected"),
            ("[-]", "']' stands where a digit is expected"),
            ("[\"\\x\"]", "'x' stands where an escape is expected"),
            ("[\"\\u12g4\"]", "'g' stands where a hexadecimal digit is expected"),
            ("[\"a\nb\"]", "line 1, column 4: byte 0x0A stands inside a text"),
            ("[{\"a\" 1}]", "'1' stands where a colon is expected"),
            ("[[1}]", "'}' stands where a comma or ] is expected"),
            ("[,]", "',' stands where a value is expected"),
            ("[1,]", "']' stands where a value is expected"),
        ])
    func malformedArray(input: String, reason: String) {
        let error = #expect(throws: PlaygroundError.self) { try read(input, isArray: true) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "nothing thrown")")
    }

    @Test(
        "A malformed line is an error with its number",
        arguments: [
            ("{}\n{\"a\":\n1}\n", "malformed JSON at line 2: the line ends inside a value"),
            ("{}\n{\"a\":1", "line 2, column 6: the input ends inside a row"),
            ("{} {}\n", "line 1, column 4: '{' stands where the end of the line is expected"),
            ("1 2\n", "'2' stands where the end of the line is expected"),
            ("[1]\n]\n", "line 2, column 1: ']' stands where a value is expected"),
        ])
    func malformedLine(input: String, reason: String) {
        let error = #expect(throws: PlaygroundError.self) { try read(input, isArray: false) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "nothing thrown")")
    }

    @Test("Nesting deeper than 64 levels is an error, however deep it is")
    func nesting() throws {
        let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(try read(deepest, isArray: false).count == 1)
        let bomb = String(repeating: "[", count: 1_000_000)
        #expect(throws: PlaygroundError("malformed JSON at line 1, column 65: values are nested deeper than 64 levels"))
        {
            try read(bomb, isArray: false)
        }
    }

    @Test("A row larger than the limit is an error, and is not kept in memory")
    func largeRow() {
        let row = "[\"" + String(repeating: "x", count: largestRow) + "\"]"
        #expect(throws: PlaygroundError("line 1: a row is larger than 1048576 bytes")) { try read(row, isArray: true) }
    }

    @Test("A row of exactly the limit is read; one more byte is an error", arguments: [true, false])
    func bound(isArray: Bool) throws {
        let inside = String(repeating: "x", count: largestRow - 4)
        #expect(try read("[[\"\(inside)\"]]".dropped(if: !isArray), isArray: isArray).count == 1)
        #expect(throws: PlaygroundError("line 1: a row is larger than 1048576 bytes")) {
            try read("[[\"\(inside)x\"]]".dropped(if: !isArray), isArray: isArray)
        }
    }

    @Test("A reader that has failed fails again with the same error", arguments: [true, false])
    func faultStays(isArray: Bool) throws {
        let input = isArray ? "[{}, {\"a\":}, {}]" : "{}\n{\"a\":}\n{}\n"
        var reader = JSONRecordReader(ByteReader(try temporaryFile(Array(input.utf8))), isArray: isArray)
        #expect(try reader.skip())
        let first = #expect(throws: PlaygroundError.self) { try reader.skip() }
        #expect(throws: first ?? PlaygroundError("nothing was thrown")) { try reader.next() }
    }

    @Test("Text that is not UTF-8 is an error, and UTF-16 is recognized", arguments: [true, false])
    func encoding(isArray: Bool) {
        for bytes: [UInt8] in [[0xE9], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] {
            let input = Array("[\"a".utf8) + bytes + Array("\"]".utf8)
            let error = #expect(throws: PlaygroundError.self) { try read(input, isArray: isArray) }
            #expect(error?.description.contains("is not UTF-8") == true)
        }
        #expect(throws: PlaygroundError("the input is UTF-16, and only UTF-8 is read")) {
            try read([0xFF, 0xFE, 0x5B, 0x00], isArray: isArray)
        }
    }

    @Test("Rows and their lines do not depend on where the blocks end")
    func blocks() throws {
        let padding = String(repeating: " ", count: 65_530)
        for shift in 0..<24 {
            let input = "[" + padding.dropLast(shift) + "{\"é\":\"\\u00e9ö\"},\n-12.5e3,\n{\"z\":null}]"
            let rows = try read(input, isArray: true)
            #expect(rows.map(text) == ["{\"é\":\"\\u00e9ö\"}", "-12.5e3", "{\"z\":null}"])
            #expect(rows.map(\.line) == [1, 2, 3])
        }
    }

    private func read(_ text: String, isArray: Bool) throws -> [SourceRecord] {
        try read(Array(text.utf8), isArray: isArray)
    }

    private func read(_ bytes: [UInt8], isArray: Bool) throws -> [SourceRecord] {
        var reader = JSONRecordReader(ByteReader(try temporaryFile(bytes)), isArray: isArray)
        var rows: [SourceRecord] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    private func text(_ record: SourceRecord) -> String {
        guard case .json(let bytes) = record.content else { return "not JSON" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// The text without the brackets around it.
    fileprivate func dropped(if isDropped: Bool) -> String { isDropped ? String(dropFirst().dropLast()) : self }
}

/// Creates an unnamed file that holds `bytes`.
func temporaryFile(_ bytes: [UInt8]) throws -> OpenFile {
    let file = try OpenFile.temporary()
    var rest = bytes[...]
    while !rest.isEmpty {
        let length = rest.withUnsafeBytes { write(file.descriptor, $0.baseAddress, $0.count) }
        try #require(length > 0)
        rest = rest.dropFirst(length)
    }
    return file
}
