import CPostgres
import RepositoryCore

/// The parameters of a statement, written as `SQLValue`s and sent in binary format.
///
/// One thread at a time uses them, like the connection.
final class Parameters {
    let count: Int
    /// The values of the parameters, to which rows are written.
    ///
    /// Safe because the memory lives as long as the object, and holds `count` values.
    private let storage: UnsafeMutablePointer<SQLValue>
    private var bytes: [UInt8] = []

    init(count: Int) {
        self.count = count
        storage = .allocate(capacity: max(count, 1))
        storage.initialize(repeating: .null, count: max(count, 1))
    }

    deinit {
        storage.deinitialize(count: max(count, 1))
        storage.deallocate()
    }

    var target: RowTarget { RowTarget(values: storage) }

    var values: UnsafeBufferPointer<SQLValue> { UnsafeBufferPointer(start: storage, count: count) }

    /// Passes the values, lengths and formats of the parameters to `body`; values are in network byte order.
    func withBytes<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Result
    ) -> Result {
        bytes.removeAll(keepingCapacity: true)
        var (starts, lengths) = ([Int](), [Int32]())
        for value in values {
            bytes.append(field: value)
            let start = bytes.count - value.byteCount
            starts.append(value == .null ? -1 : start)
            lengths.append(Int32(bytes.count - start))
        }
        // An empty value also needs an address, because libpq takes a null pointer for NULL.
        bytes.append(0)
        let formats = [Int32](repeating: 1, count: max(count, 1))
        return bytes.withUnsafeBytes { raw in
            let start = raw.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) }
            let pointers = starts.map { offset in offset < 0 ? nil : start.map { $0 + offset } } + [nil]
            return pointers.withUnsafeBufferPointer { pointers in
                (lengths + [0]).withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        guard let pointers = pointers.baseAddress, let lengths = lengths.baseAddress,
                            let formats = formats.baseAddress
                        else { preconditionFailure("An array of one value or more has an address.") }
                        return body(pointers, lengths, formats)
                    }
                }
            }
        }
    }
}

extension [UInt8] {
    mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}

extension SQLValue {
    /// The OID of the value's PostgreSQL type; 0 if the server infers the type, as for bytes, which may be an id.
    var typeNumber: Oid {
        switch self {
        case .integer: 20
        case .real: 701
        case .text: 25
        case .null, .blob: 0
        }
    }
}
