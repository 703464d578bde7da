import Foundation
import Testing

@testable import PlaygroundKit

@Suite("Reading CSV")
struct CSVRecordReaderTests {
    @Test("Line ends may be LF, CRLF or CR, with or without the last", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) throws {
        let lines = [
            "Title,Distributor", "Heat,\"Warner, Bros.\"", "", "  ", "\"Two\(end)lines\",\"a \"\"b\"\"\"", "Up,",
        ]
        for text in [lines.joined(separator: end), lines.joined(separator: end) + end] {
            let rows = try read(text)
            #expect(rows.map(\.line) == [2, 5, 7])
            #expect(rows.map(fields) == [["Heat", "Warner, Bros."], ["Two\(end)lines", "a \"b\""], ["Up", ""]])
        }
    }

    @Test("A byte order mark is skipped")
    func byteOrderMark() throws {
        #expect(try read("\u{FEFF}title\nHeat\n").map(fields) == [["Heat"]])
    }

    @Test("A header alone has no rows")
    func headerAlone() throws {
        #expect(try read("title,studio").isEmpty)
    }

    @Test(
        "A file that is not a CSV of films is an error",
        arguments: [
            ("", "the input is empty"),
            ("\n\r\n \n", "the input is empty"),
            ("Name,Gross\nHeat,1\n", "line 1: no column is named Title or title, only \"Name\", \"Gross\""),
            ("Title,title\nHeat,1\n", "line 1: two columns give the title"),
            ("title\n\"a\nb\n\n\"c\"\n\n\"d\n", "line 7: a quote is opened and never closed"),
            ("title\na\n\0\n", "malformed CSV at line 3: byte 0x00 stands in the text"),
            ("\"title\"x\nHeat\n", "malformed CSV at line 1: the header row cannot be divided into fields"),
        ])
    func faults(input: String, reason: String) {
        #expect(throws: PlaygroundError(reason)) { try read(input) }
    }

    @Test(
        "Skipping rows throws the same error as reading them, and throws it again",
        arguments: [
            ([0xE9], "malformed CSV at line 3002: the text is not UTF-8"),
            ([0x00], "malformed CSV at line 3002: byte 0x00 stands in the text"),
            (
                Array(repeating: UInt8(ascii: "x"), count: largestRow + 1),
                "line 3002: a row is larger than 1048576 bytes"
            ),
            ([UInt8(ascii: "\"")], "line 3002: a quote is opened and never closed"),
        ] as [([UInt8], String)])
    func passedOver(fault: [UInt8], reason: String) throws {
        let rows = (1...3_000).map { "Film \($0)\n" }.joined()
        let bytes = Array("title\n\(rows)".utf8) + fault + Array("\nUp\n".utf8)
        #expect(throws: PlaygroundError(reason)) { try read(bytes) }
        var reader = CSVRecordReader(ByteReader(try temporaryFile(bytes)))
        #expect(throws: PlaygroundError(reason)) { while try reader.skip() {} }
        #expect(throws: PlaygroundError(reason)) { try reader.skip() }
        #expect(throws: PlaygroundError(reason)) { try reader.next() }
    }

    @Test("Text that is not UTF-8 is an error, and UTF-16 is recognized")
    func encoding() {
        #expect(throws: PlaygroundError("malformed CSV at line 2: the text is not UTF-8")) {
            try read(Array("title\nL".utf8) + [0xE9] + Array("on\n".utf8))
        }
        #expect(throws: PlaygroundError("malformed CSV at line 2: the input ends inside a UTF-8 character")) {
            try read(Array("title\nL".utf8) + [0xC3])
        }
        #expect(throws: PlaygroundError("the input is UTF-16, and only UTF-8 is read")) {
            try read([0xFF, 0xFE, 0x74, 0])
        }
    }

    @Test("A row that cannot be divided into fields does not affect its neighbours")
    func stray() throws {
        let rows = try read("title,studio\nHeat,a\n\"Up\" x,b\nJaws,\"c\"\nBig \"d,e\nAlien,f\u{2028}g\nTron,h\n")
        #expect(rows.map(\.line) == [2, 3, 4, 5, 6, 7])
        #expect(rows.map { fields($0).count } == [2, 0, 2, 0, 2, 2])
        #expect(throws: RowRejection("its quotes are out of order")) { try Film(rows[1]) }
        #expect(try Film(rows[5]).title == "Tron")
    }

    @Test("A field may begin with a combining accent or with a space outside ASCII")
    func combining() throws {
        let rows = try read(
            "title,studio,genre\n\u{301}a,\"\u{301}b\u{301}\",\u{A0}\u{301}\n\"é\"\"\u{301}\",\u{2028},\u{85}\n")
        #expect(
            rows.map(fields) == [
                ["\u{301}a", "\u{301}b\u{301}", "\u{A0}\u{301}"], ["é\"\u{301}", "\u{2028}", "\u{85}"],
            ])
    }

    @Test("A row larger than the limit is an error, which says which quote is open")
    func largeRow() {
        let long = String(repeating: "x", count: largestRow)
        #expect(throws: PlaygroundError("line 2: a row is larger than 1048576 bytes")) { try read("title\n\(long)y\n") }
        let unclosed = "title\n\"\(String(repeating: "x\n", count: largestRow))"
        #expect(
            throws: PlaygroundError(
                "line 2: a row is larger than 1048576 bytes (a quote opened on line 2 is still open)")
        ) {
            try read(unclosed)
        }
    }

    @Test("Rows and their lines do not depend on where the blocks end")
    func blocks() throws {
        let padding = String(repeating: "x", count: 65_500)
        for shift in 0..<48 {
            let rows = try read("title,studio\r\n\(padding.dropLast(shift)),\"é\r\n\"\"ö\"\"\"\r\nHeat,\r\n\r\nUp,ü")
            #expect(rows.map(\.line) == [2, 4, 6])
            #expect(rows.dropFirst().map(fields) == [["Heat", ""], ["Up", "ü"]])
            #expect(fields(rows[0])[1] == "é\r\n\"ö\"")
        }
    }

    private func read(_ text: String) throws -> [SourceRecord] {
        try read(Array(text.utf8))
    }

    private func read(_ bytes: [UInt8]) throws -> [SourceRecord] {
        var reader = CSVRecordReader(ByteReader(try temporaryFile(bytes)))
        var rows: [SourceRecord] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    private func fields(_ record: SourceRecord) -> [String] {
        guard case .row(_, let fields) = record.content else { return [] }
        return fields
    }
}
