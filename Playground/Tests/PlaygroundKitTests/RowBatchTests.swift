import Foundation
import Testing

@testable import PlaygroundKit

@Suite("Reading batches")
struct RowBatchTests {
    @Test("A batch has the requested number of rows, and the last one has the rest")
    func rows() throws {
        #expect(try sizes(rows: 7, note: "", atMost: 3) == [3, 3, 1])
    }

    @Test("A batch ends early at 4 MiB, so that large rows are not held by the thousand")
    func bytes() throws {
        let large = String(repeating: "x", count: 1_000_000)
        #expect(try sizes(rows: 12, note: large, atMost: 1_000) == [5, 5, 2])
    }

    @Test("Rejected rows count like films")
    func rejects() throws {
        var reader: any RecordReader = try Rows(titles: ["Heat", "", "Up"], note: "")
        let batch = try #require(try RowBatch.read(2, from: &reader))
        #expect(batch.films.map(\.title) == ["Heat"] && batch.rejects.map(\.record.line) == [3])
        #expect(try RowBatch.read(2, from: &reader)?.films.map(\.title) == ["Up"])
        #expect(try RowBatch.read(2, from: &reader) == nil)
    }

    private func sizes(rows: Int, note: String, atMost size: Int) throws -> [Int] {
        var reader: any RecordReader = try Rows(titles: (1...rows).map { "Film \($0)" }, note: note)
        var sizes: [Int] = []
        while let batch = try RowBatch.read(size, from: &reader) { sizes.append(batch.films.count) }
        return sizes
    }
}

/// Rows of a title and a column that no film has.
private struct Rows: RecordReader {
    private let titles: [String]
    private let note: String
    private let header: CSVHeader
    private var read = 0
    let bytesRead = 0

    init(titles: [String], note: String) throws {
        self.titles = titles
        self.note = note
        header = try CSVHeader(["title", "note"])
    }

    mutating func next() -> SourceRecord? {
        guard read < titles.count else { return nil }
        read += 1
        return SourceRecord(line: read + 1, content: .row(header, [titles[read - 1], note]))
    }

    mutating func skip() -> Bool { next() != nil }
}
