import SwiftCSV

/// Reads the rows of a CSV file with a header row; SwiftCSV parses the rows, a block of whole rows at a time.
///
/// It holds one block of rows, of at most 64 KiB or one row of at most `largestRow` bytes, however large the file is.
struct CSVRecordReader: RecordReader {
    private static let blockSize = 1 << 16

    private var cutter: CSVRecordCutter
    private var header: CSVHeader?
    /// The rows that have been parsed, last first.
    private var rows: [SourceRecord] = []

    init(_ reader: ByteReader) {
        cutter = CSVRecordCutter(reader)
    }

    var bytesRead: Int { cutter.bytesRead }

    mutating func next() throws(PlaygroundError) -> SourceRecord? {
        if let row = rows.popLast() { return row }
        let header: CSVHeader
        if let known = self.header {
            header = known
        } else {
            header = try readHeader()
            self.header = header
        }
        let cuts = try cutBlock()
        rows = Self.records(cuts, header).reversed()
        return rows.popLast()
    }

    mutating func skip() throws(PlaygroundError) -> Bool {
        if !rows.isEmpty || header == nil { return try next() != nil }
        return try cutter.next() != nil
    }

    private mutating func readHeader() throws(PlaygroundError) -> CSVHeader {
        guard let cut = try cutter.next() else { throw PlaygroundError("the input is empty") }
        guard let rows = Self.parse([cut]), let fields = rows.first, rows.count == 1 else {
            throw PlaygroundError("malformed CSV at line \(cut.line): the header row cannot be divided into fields")
        }
        return try CSVHeader(fields)
    }

    /// Cuts records until a block is full; a fault after whole records is thrown once these have been read.
    private mutating func cutBlock() throws(PlaygroundError) -> [CSVRecordCutter.Cut] {
        var cuts: [CSVRecordCutter.Cut] = []
        var size = 0
        do throws(PlaygroundError) {
            while size < Self.blockSize, let cut = try cutter.next() {
                size += cut.bytes.count
                cuts.append(cut)
                if !cutter.hasBytesAtHand { break }
            }
        } catch {
            guard !cuts.isEmpty else { throw error }
        }
        return cuts
    }

    private static func records(_ cuts: [CSVRecordCutter.Cut], _ header: CSVHeader) -> [SourceRecord] {
        if let rows = parse(cuts), rows.count == cuts.count {
            return zip(cuts, rows).map { cut, row in SourceRecord(line: cut.line, content: .row(header, row)) }
        }
        return cuts.map { cut in
            guard let rows = parse([cut]), let row = rows.first, rows.count == 1 else {
                let text = String(decoding: cut.bytes, as: UTF8.self)
                let content = SourceRecord.Content.unreadable(text: text, reason: "its quotes are out of order")
                return SourceRecord(line: cut.line, content: content)
            }
            return SourceRecord(line: cut.line, content: .row(header, row))
        }
    }

    /// Lets SwiftCSV divide whole records into fields; nil when it cannot.
    private static func parse(_ cuts: [CSVRecordCutter.Cut]) -> [[String]]? {
        var bytes: [UInt8] = []
        for cut in cuts {
            bytes += cut.bytes
            bytes.append(0x0A)
        }
        // SwiftCSV reads characters, so it would not see a comma before a combining accent. It is given one character
        // for each byte, and its fields are decoded afterwards.
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        let text = isASCII ? String(decoding: bytes, as: UTF8.self) : characters(bytes)
        let rows = RowCollector()
        do {
            try CSV<NoView>(string: text, delimiter: .comma).enumerateAsArray(startAt: 0, rowLimit: nil) {
                rows.all.append($0)
            }
        } catch {
            return nil
        }
        return isASCII ? rows.all : rows.all.map { $0.map(text(ofCharacters:)) }
    }

    private static func characters(_ bytes: [UInt8]) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        return String(scalars)
    }

    private static func text(ofCharacters field: String) -> String {
        String(decoding: field.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }, as: UTF8.self)
    }
}

/// Collects the rows that SwiftCSV passes to its callback.
private final class RowCollector {
    var all: [[String]] = []
}

/// A view that keeps nothing: SwiftCSV's own views hold every row, and pad short rows, which hides missing fields.
private struct NoView: CSVView {
    let rows: [[String]] = []
    let columns: [[String]]? = nil

    init(header: [String], text: String, delimiter: CSVDelimiter, loadColumns: Bool, rowLimit: Int?) {}

    func serialize(header: [String], delimiter: CSVDelimiter) -> String { "" }
}
