import CPostgres
import RepositoryCore

/// Rows in COPY's binary format: for each row the number of its fields, then each field with its length.
///
/// The bytes of a field also serve as a parameter or as an element of an array.
struct CopyRows {
    static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    static let end: [UInt8] = [0xFF, 0xFF]

    /// The rows, and spare bytes after them, so that no check of the array's capacity is needed for each field.
    private var storage: [UInt8] = []
    private(set) var byteCount = 0
    private var starts: [Int] = []

    var count: Int { starts.count }

    func bytes(from offset: Int) -> ArraySlice<UInt8> { storage[offset..<byteCount] }

    mutating func removeAll() {
        byteCount = 0
        starts.removeAll(keepingCapacity: true)
    }

    /// Appends a row, and returns the total number of rows and of bytes.
    mutating func append(_ values: UnsafeBufferPointer<SQLValue>) -> (count: Int, byteCount: Int) {
        starts.append(byteCount)
        let length = values.reduce(2) { $0 + 4 + $1.byteCount }
        let missing = byteCount + length - storage.count
        if missing > 0 { storage.append(contentsOf: repeatElement(0, count: max(missing, storage.count))) }
        storage.withUnsafeMutableBytes { raw in
            var row = UnsafeMutableRawBufferPointer(rebasing: raw[byteCount..<byteCount + length])
            row.write(Int16(values.count))
            for value in values { row.write(field: value) }
        }
        byteCount += length
        return (count, byteCount)
    }

    /// Passes the values, lengths and formats of a row's fields to `body`, as libpq takes parameters.
    func withFields<Result>(
        of row: Int, _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
    ) -> Result {
        storage.withUnsafeBytes { raw in
            var (values, lengths): ([UnsafePointer<CChar>?], [Int32]) = ([], [])
            eachField(of: row, raw) { start, length in
                // For libpq, an empty value has an address, and NULL has none.
                let address = raw.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
                values.append(length < 0 ? nil : address)
                lengths.append(max(length, 0))
            }
            return body(values, lengths, Array(repeating: 1, count: lengths.count))
        }
    }

    /// Returns the values of some rows, as one binary array for each column.
    func arrays(of range: Range<Int>, types: [Oid]) -> [[UInt8]] {
        var arrays = types.map { type -> [UInt8] in
            var array: [UInt8] = []
            // The array's header: one dimension, NULL allowed, the type of an element, the number of elements, and the
            // index of the first one.
            for word in [1, 1, type, UInt32(range.count), 1] { array.append(bigEndian: word) }
            return array
        }
        storage.withUnsafeBytes { raw in
            for row in range {
                var column = 0
                eachField(of: row, raw) { start, length in
                    arrays[column].append(contentsOf: raw[start - 4..<start + Int(max(length, 0))])
                    column += 1
                }
            }
        }
        return arrays
    }

    private func eachField(of row: Int, _ raw: UnsafeRawBufferPointer, _ body: (Int, Int32) -> Void) {
        var start = starts[row]
        let count = Int16(bigEndian: raw.loadUnaligned(fromByteOffset: start, as: Int16.self))
        start += 2
        for _ in 0..<count {
            let length = Int32(bigEndian: raw.loadUnaligned(fromByteOffset: start, as: Int32.self))
            body(start + 4, length)
            start += 4 + Int(max(length, 0))
        }
    }
}

extension SQLValue {
    /// The number of bytes that PostgreSQL receives for the value, without the length before them.
    var byteCount: Int {
        switch self {
        case .null: 0
        case .integer, .real: 8
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}

extension [UInt8] {
    /// Appends the length of a value and then the value, in network byte order; NULL is only the length -1.
    mutating func append(field value: SQLValue) {
        let start = count
        append(contentsOf: repeatElement(0, count: 4 + value.byteCount))
        withUnsafeMutableBytes { raw in
            var field = UnsafeMutableRawBufferPointer(rebasing: raw[start...])
            field.write(field: value)
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Writes the length of a value and then the value, and advances past both; NULL is only the length -1.
    fileprivate mutating func write(field value: SQLValue) {
        switch value {
        case .null: write(Int32(-1))
        case .integer(let number):
            write(Int32(8))
            write(number)
        case .real(let number):
            write(Int32(8))
            // Negative zero is stored as zero, by every engine of this library.
            write((number == 0 ? 0 : number).bitPattern)
        case .text(let text):
            write(Int32(text.utf8.count))
            write(text.utf8)
        case .blob(let bytes):
            write(Int32(bytes.count))
            write(bytes)
        }
    }

    fileprivate mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        storeBytes(of: number.bigEndian, as: Number.self)
        self = Self(rebasing: self[MemoryLayout<Number>.size...])
    }

    private mutating func write(_ bytes: some Collection<UInt8>) {
        copyBytes(from: bytes)
        self = Self(rebasing: self[bytes.count...])
    }
}
