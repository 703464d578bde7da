/// The input of `import`, opened and checked from its first byte to its last.
///
/// An import reads its input twice. The first time only proves that it can be read, so that a fault on the last line
/// is known before the store is touched. A pipe cannot be read twice, so its bytes are kept in a temporary file.
package struct FilmInput: Sendable {
    package let format: InputFormat
    /// How many rows the check has counted.
    package let rows: Int
    /// How many bytes the input has.
    package let size: Int
    private let file: OpenFile

    /// Opens `path` (`-` is standard input) and reads it through; `onRow`, if given, receives every row.
    init(
        path: String, format: InputFormat?, onRow: ((SourceRecord) throws(PlaygroundError) -> Void)? = nil
    ) throws(PlaygroundError) {
        let name = path == "-" ? "standard input" : Escaping.visible(path)
        guard let format = format ?? InputFormat(path: path) else {
            throw PlaygroundError("the format of \(name) is not known; name it with --format csv, json or ndjson")
        }
        let source = path == "-" ? OpenFile.standardInput : try OpenFile.reading(path)
        try self.init(source, name, format, onRow)
    }

    /// Reads through a file that was uploaded as `name`, whose extension says the format.
    package init(_ file: OpenFile, calledAs name: String) throws(PlaygroundError) {
        guard let format = InputFormat(path: name) else {
            throw PlaygroundError(
                "the format of \(Escaping.visible(name)) is not known: it ends in .csv, .json or .ndjson")
        }
        try self.init(file, Escaping.visible(name), format, nil)
    }

    private init(
        _ source: OpenFile, _ name: String, _ format: InputFormat,
        _ onRow: ((SourceRecord) throws(PlaygroundError) -> Void)?
    ) throws(PlaygroundError) {
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

    /// Makes a reader that reads the input again, from its start.
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
