/// One row of an input as it was found, before anything is made of it.
struct SourceRecord: Sendable {
    enum Content: Sendable {
        /// One JSON value, checked to be well formed, byte for byte as it stands in the input.
        case json([UInt8])
        /// The fields of a CSV row beside the names of its columns.
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

/// Reads an input row by row; holds no more than one row, or for CSV a block of rows, at a time.
protocol RecordReader: Sendable {
    /// Returns the next row, or nil at the end of the input; throws when the input is not of its format, then and ever
    /// after.
    mutating func next() throws(PlaygroundError) -> SourceRecord?
    /// Passes over the next row, which costs less than taking it apart; false at the end of the input.
    mutating func skip() throws(PlaygroundError) -> Bool
    /// How many bytes of the input have been read.
    var bytesRead: Int { get }
}

/// The largest row that is read, in bytes: what bounds the memory of an import, with `largestBatch`.
let largestRow = 1 << 20

/// How many bytes of text a batch may have before it is closed, whatever number of rows it was to have.
let largestBatch = 4 << 20
