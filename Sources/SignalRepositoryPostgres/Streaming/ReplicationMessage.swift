import RepositoryCore

/// A frame on a replication connection: a message of the output plugin `pgoutput`, or the server's position.
enum ReplicationFrame {
    case message(UnsafeRawBufferPointer)
    /// The server has sent all commits before `position`. With `requestsReply`, it waits for a status message.
    case keepalive(position: WALPosition, requestsReply: Bool)

    init(_ bytes: UnsafeRawBufferPointer) throws(ReplicationFault) {
        var reader = MessageReader(bytes)
        switch try reader.byte() {
        case UInt8(ascii: "w"):
            for _ in 0..<3 { _ = try reader.number(UInt64.self) }
            self = .message(reader.rest)
        case UInt8(ascii: "k"):
            let position = WALPosition(try reader.number())
            _ = try reader.number(UInt64.self)
            self = .keepalive(position: position, requestsReply: try reader.byte() != 0)
            try reader.end()
        case let kind: throw .unknown(kind)
        }
    }
}

/// A message of `pgoutput`, in the first version of its protocol.
///
/// It refers to the bytes from which it was decoded, and is valid only as long as these bytes are.
enum ReplicationMessage {
    /// The start of a transaction's changes, with the low 32 bits of the transaction's number.
    case begin(transaction: UInt32)
    /// The end of a transaction's changes; `end` is the position after its commit record in the write-ahead log.
    case commit(end: WALPosition)
    case relation(StreamedRelation)
    case insert(table: UInt32, new: StreamedTuple)
    /// If `old` is `nil`, the key is unchanged, and the server has not logged the other old values.
    case update(table: UInt32, old: StreamedTuple?, new: StreamedTuple)
    case delete(table: UInt32, old: StreamedTuple)
    case truncate(tables: [UInt32])
    /// A message that a program has sent with `pg_logical_emit_message`.
    case message(isTransactional: Bool, prefix: String, content: UnsafeRawBufferPointer)
    /// Messages that are ignored: the origin of a transaction, and the name of a data type.
    case origin, type

    init(_ bytes: UnsafeRawBufferPointer) throws(ReplicationFault) {
        var reader = MessageReader(bytes)
        switch try reader.byte() {
        case UInt8(ascii: "B"):
            for _ in 0..<2 { _ = try reader.number(UInt64.self) }
            self = .begin(transaction: try reader.number())
        case UInt8(ascii: "C"):
            _ = try reader.byte()
            _ = try reader.number(UInt64.self)
            self = .commit(end: WALPosition(try reader.number()))
            _ = try reader.number(UInt64.self)
        case UInt8(ascii: "O"):
            _ = try reader.number(UInt64.self)
            _ = try reader.text()
            self = .origin
        case UInt8(ascii: "R"): self = .relation(try StreamedRelation(&reader))
        case UInt8(ascii: "Y"):
            _ = try reader.number(UInt32.self)
            for _ in 0..<2 { _ = try reader.text() }
            self = .type
        case UInt8(ascii: "I"):
            let table: UInt32 = try reader.number()
            try reader.expect("N")
            self = .insert(table: table, new: try StreamedTuple(&reader, isComplete: true))
        case UInt8(ascii: "U"): self = try Self.update(&reader)
        case UInt8(ascii: "D"):
            let table: UInt32 = try reader.number()
            let isComplete = try reader.nextIsComplete()
            self = .delete(table: table, old: try StreamedTuple(&reader, isComplete: isComplete))
        case UInt8(ascii: "T"): self = .truncate(tables: try Self.truncated(&reader))
        case UInt8(ascii: "M"):
            let isTransactional = try reader.byte() & 1 != 0
            _ = try reader.number(UInt64.self)
            let prefix = try reader.text()
            let length: UInt32 = try reader.number()
            self = .message(
                isTransactional: isTransactional, prefix: prefix, content: try reader.bytes(Int(length)))
        case let kind: throw .unknown(kind)
        }
        try reader.end()
    }

    private static func update(_ reader: inout MessageReader) throws(ReplicationFault) -> ReplicationMessage {
        let table: UInt32 = try reader.number()
        var old: StreamedTuple?
        if reader.next != UInt8(ascii: "N") {
            let isComplete = try reader.nextIsComplete()
            old = try StreamedTuple(&reader, isComplete: isComplete)
        }
        try reader.expect("N")
        return .update(table: table, old: old, new: try StreamedTuple(&reader, isComplete: true))
    }

    private static func truncated(_ reader: inout MessageReader) throws(ReplicationFault) -> [UInt32] {
        let count: UInt32 = try reader.number()
        _ = try reader.byte()
        // Refuses a count that is too large, before the array grows.
        guard Int(count) <= reader.rest.count / 4 else { throw .tooShort }
        var tables: [UInt32] = []
        for _ in 0..<count { tables.append(try reader.number()) }
        return tables
    }
}

/// The description of a table, which the stream sends before the table's first row and after a possible change.
struct StreamedRelation: Equatable {
    struct Column: Equatable {
        let name: String
        let type: UInt32
    }

    let number: UInt32
    /// The table's schema.
    ///
    /// It is compared with the catalog's schema, because the stream may still send rows of a table that was moved to
    /// another schema.
    let schema: String
    let name: String
    let columns: [Column]

    init(number: UInt32, schema: String, name: String, columns: [Column]) {
        (self.number, self.schema, self.name, self.columns) = (number, schema, name, columns)
    }

    fileprivate init(_ reader: inout MessageReader) throws(ReplicationFault) {
        number = try reader.number()
        schema = try reader.text()
        name = try reader.text()
        _ = try reader.byte()
        let count: UInt16 = try reader.number()
        var columns: [Column] = []
        for _ in 0..<count {
            _ = try reader.byte()
            let name = try reader.text()
            columns.append(Column(name: name, type: try reader.number()))
            _ = try reader.number(UInt32.self)
        }
        self.columns = columns
    }
}

/// The values of a row in a message: all of them, or only the key's values.
struct StreamedTuple {
    enum Field {
        case null
        /// A large value that is stored outside the row. The server does not send it, because it has not changed.
        case unchanged
        case binary(UnsafeRawBufferPointer)
        /// A value in the server's text format, because its type has no binary format.
        case text(UnsafeRawBufferPointer)
    }

    let count: Int
    /// Whether the tuple has all values of the row, and not only the key's values.
    let isComplete: Bool
    private let bytes: UnsafeRawBufferPointer

    /// Creates a tuple that refers to the next values in a message, and moves the reader past them.
    fileprivate init(_ reader: inout MessageReader, isComplete: Bool) throws(ReplicationFault) {
        let count: UInt16 = try reader.number()
        (self.count, self.isComplete, bytes) = (Int(count), isComplete, reader.rest)
        for _ in 0..<count { _ = try Self.field(&reader) }
    }

    func forEach(
        _ body: (Int, Field) throws(ReplicationFault) -> Void
    ) throws(ReplicationFault) {
        var reader = MessageReader(bytes)
        for index in 0..<count { try body(index, try Self.field(&reader)) }
    }

    private static func field(_ reader: inout MessageReader) throws(ReplicationFault) -> Field {
        let kind = try reader.byte()
        switch kind {
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "u"): return .unchanged
        case UInt8(ascii: "b"), UInt8(ascii: "t"):
            let length: UInt32 = try reader.number()
            let bytes = try reader.bytes(Int(length))
            return kind == UInt8(ascii: "b") ? .binary(bytes) : .text(bytes)
        default: throw .unknown(kind)
        }
    }
}

struct WALPosition: Comparable, Sendable {
    let number: UInt64

    init(_ number: UInt64) { self.number = number }

    static let zero = WALPosition(0)

    static func < (left: WALPosition, right: WALPosition) -> Bool { left.number < right.number }
}

/// The reason why a message from the server cannot be decoded.
enum ReplicationFault: Error, Equatable {
    case tooShort
    case tooLong
    /// An unknown byte where the kind of a message or of a field is expected.
    case unknown(UInt8)
    /// A text that is not valid UTF-8.
    case noText
    /// A value that does not fit its type.
    case badValue
}

/// A reader of a message's bytes from beginning to end.
///
/// It throws instead of reading past the end.
struct MessageReader {
    private(set) var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    var next: UInt8? { rest.first }

    mutating func byte() throws(ReplicationFault) -> UInt8 { try number() }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self
    ) throws(ReplicationFault)
        -> Number
    {
        Number(bigEndian: try bytes(MemoryLayout<Number>.size).loadUnaligned(as: Number.self))
    }

    mutating func bytes(_ count: Int) throws(ReplicationFault) -> UnsafeRawBufferPointer {
        guard count <= rest.count else { throw .tooShort }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    }

    /// Reads a text that ends with NUL.
    mutating func text() throws(ReplicationFault) -> String {
        guard let end = rest.firstIndex(of: 0) else { throw .tooShort }
        guard let text = String(validating: try bytes(end), as: UTF8.self) else { throw .noText }
        _ = try byte()
        return text
    }

    mutating func expect(_ letter: Unicode.Scalar) throws(ReplicationFault) {
        let kind = try byte()
        guard kind == UInt8(ascii: letter) else { throw .unknown(kind) }
    }

    /// Reads which old values follow: returns true for all values of the row, false for only the key's values.
    mutating func nextIsComplete() throws(ReplicationFault) -> Bool {
        switch try byte() {
        case UInt8(ascii: "O"): return true
        case UInt8(ascii: "K"): return false
        case let kind: throw .unknown(kind)
        }
    }

    func end() throws(ReplicationFault) {
        guard rest.isEmpty else { throw .tooLong }
    }
}
