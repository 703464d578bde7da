/// One row of an input as it was read, before it is interpreted.
struct SourceRecord: Sendable {
    enum Content: Sendable {
        /// One well-formed JSON value, byte for byte as in the input.
        case json([UInt8])
        /// The header of a CSV file, and the fields of one row.
        case row(CSVHeader, [String])
        /// A CSV row that cannot be divided into its fields.
        case unreadable(text: String, reason: String)
    }

    /// The number of the line on which the row begins; the first is 1.
    let line: Int
    let content: Content

    /// How many bytes of text it holds.
    var size: Int {
        switch content {
        case .json(let bytes): bytes.count
        case .row(_, let fields): fields.reduce(0) { $0 + $1.utf8.count }
        case .unreadable(let text, _): text.utf8.count
        }
    }
}

/// A reader of an input, row by row, which holds one row at a time or, for CSV, a block of rows.
protocol RecordReader: Sendable {
    /// Returns the next row, or nil at the end of the input; after malformed input, every call throws.
    mutating func next() throws(PlaygroundError) -> SourceRecord?
    /// Skips the next row, which costs less than parsing it; returns false at the end of the input.
    mutating func skip() throws(PlaygroundError) -> Bool
    /// How many bytes of the input have been read.
    var bytesRead: Int { get }
}

/// The largest row that is read, in bytes; with `largestBatch`, it bounds the memory of an import.
let largestRow = 1 << 20

/// How many bytes of text close a batch, however few rows it has.
let largestBatch = 4 << 20
