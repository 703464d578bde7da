/// An input that has been opened and checked from its first byte to its last: what `import` reads.
///
/// An import reads its input twice. The first time only proves that it can be read, so that a fault on the last line
/// is known before the store is touched. A pipe cannot be read twice: it is kept in a temporary file meanwhile.
struct FilmInput: Sendable {
    let format: InputFormat
    /// How many rows the check has counted.
    let rows: Int
    /// How many bytes the input has.
    let size: Int
    private let file: OpenFile

    /// Opens `path` (`-` is standard input) and reads it through; `onRow`, when given, sees every row.
    init(
        path: String, format: InputFormat?, onRow: ((SourceRecord) throws(PlaygroundError) -> Void)? = nil
    ) throws(PlaygroundError) {
        let name = path == "-" ? "standard input" : Escaping.visible(path)
        guard let format = format ?? InputFormat(path: path) else {
            throw PlaygroundError("the format of \(name) is not known; name it with --format csv, json or ndjson")
        }
        let source = path == "-" ? OpenFile.standardInput : try OpenFile.reading(path)
        let kept = source.isSeekable ? nil : try OpenFile.temporary()
        var (rows, size) = (0, 0)
        do throws(PlaygroundError) {
            var reader = Self.reader(ByteReader(source, copy: kept), format)
            if let onRow {
                while let record = try reader.next() {
                    rows += 1
                    try onRow(record)
                }
            } else {
                while try reader.skip() { rows += 1 }
            }
            size = reader.bytesRead
        } catch {
            throw PlaygroundError("\(name): \(error.description)")
        }
        self.format = format
        self.rows = rows
        self.size = size
        self.file = kept ?? source
    }

    /// Reads the input once more, from its start.
    func makeReader() -> any RecordReader {
        Self.reader(ByteReader(file), format)
    }

    private static func reader(_ bytes: ByteReader, _ format: InputFormat) -> any RecordReader {
        switch format {
        case .csv: CSVRecordReader(bytes)
        case .json: JSONRecordReader(bytes, isArray: true)
        case .ndjson: JSONRecordReader(bytes, isArray: false)
        }
    }
}
