import CPostgres
import SignalRepository

/// Rows in the binary form of COPY: of each the number of its fields, and each field with its length.
///
/// The same bytes serve as parameters and as the elements of arrays.
struct CopyRows {
    static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    static let end: [UInt8] = [0xFF, 0xFF]

    private(set) var bytes: [UInt8] = []
    private var starts: [Int] = []

    var count: Int { starts.count }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
    }

    mutating func append(_ values: UnsafeBufferPointer<SQLValue>) {
        starts.append(bytes.count)
        bytes.append(bigEndian: Int16(values.count))
        for value in values { bytes.append(field: value) }
    }

    /// Passes the fields of a row to `body`, as libpq takes them.
    func withFields<Result>(
        of row: Int, _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { raw in
            var (values, lengths): ([UnsafePointer<CChar>?], [Int32]) = ([], [])
            eachField(of: row, raw) { start, length in
                // An empty value has an address, and NULL has none.
                let address = raw.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
                values.append(length < 0 ? nil : address)
                lengths.append(max(length, 0))
            }
            return body(values, lengths, Array(repeating: 1, count: lengths.count))
        }
    }

    /// The values of some rows, an array for each column.
    func arrays(of range: Range<Int>, types: [Oid]) -> [[UInt8]] {
        var arrays = types.map { type -> [UInt8] in
            var array: [UInt8] = []
            // One dimension, perhaps with NULL, the type of an element, their number, and the index of the first.
            for word in [1, 1, type, UInt32(range.count), 1] { array.append(bigEndian: word) }
            return array
        }
        bytes.withUnsafeBytes { raw in
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

extension [UInt8] {
    /// Appends a value with its length; NULL has the length -1.
    fileprivate mutating func append(field value: SQLValue) {
        switch value {
        case .null: append(bigEndian: Int32(-1))
        case .integer, .real: append(bigEndian: Int32(8))
        case .text(let text): append(bigEndian: Int32(text.utf8.count))
        case .blob(let bytes): append(bigEndian: Int32(bytes.count))
        }
        append(value)
    }
}
