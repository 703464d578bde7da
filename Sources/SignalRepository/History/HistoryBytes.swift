/// The encoding of a history entry: one compact blob for each commit.
///
/// With one history row for each changed row, recording a batch would cost more than inserting it. Integers and counts
/// use seven bits of each byte. An integer value is stored as its difference from the previous integer in the same
/// column.
enum HistoryBytes {
    /// The first byte of a blob.
    ///
    /// It says that rows follow, or why the changed rows are unknown.
    private enum Kind: UInt8 {
        case rows = 1
        case beginning, otherConnection, tables
    }

    /// Returns the blob of a commit whose rows are known.
    static func bytes(of tables: [TableHistory]) -> [UInt8] {
        var writer = Writer(bytes: [Kind.rows.rawValue])
        writer.append(count: tables.count)
        for table in tables { writer.append(table) }
        return writer.bytes
    }

    /// Returns the encoded description of a table, which precedes the table's rows in a blob.
    static func head(of table: TableHistory) -> [UInt8] {
        var writer = Writer(bytes: [])
        writer.append(headOf: table)
        return writer.bytes
    }

    /// Returns the blob of a commit that changed a single row; `head` is the result of `head(of:)` for its table.
    static func bytes(
        of operation: HistoryJournal.Operation, _ key: [SQLValue], old: [SQLValue]?, _ head: [UInt8]
    ) -> [UInt8] {
        var writer = Writer(bytes: [])
        writer.reserveRoom(head.count + 128)
        writer.append([Kind.rows.rawValue, 1])
        writer.append(head)
        for each in [HistoryJournal.Operation.insert, .update, .delete] {
            writer.append(row: each == operation ? key : nil)
        }
        writer.append(row: old)
        return writer.bytes
    }

    /// Returns the blob of a commit whose rows are unknown.
    static func bytes(of reason: HistoryEntry.Reason) -> [UInt8] {
        let kind: Kind =
            switch reason {
            case .beginning: .beginning
            case .otherConnection: .otherConnection
            case .tables, .pruned, .otherStore: .tables
            }
        return [kind.rawValue]
    }

    /// Decodes a blob; throws if it is damaged, because any program may have written it.
    static func content(
        of bytes: [UInt8]
    ) throws(RepositoryError) -> (extent: HistoryEntry.Extent, tables: [TableHistory]) {
        var reader = Reader(bytes: bytes[...])
        guard let kind = Kind(rawValue: try reader.byte()) else { throw Reader.damage }
        switch kind {
        case .beginning: return (.unknown(.beginning), [])
        case .otherConnection: return (.unknown(.otherConnection), [])
        case .tables: return (.unknown(.tables), [])
        case .rows: break
        }
        var tables: [TableHistory] = []
        for _ in 0..<(try reader.count()) { tables.append(try reader.table()) }
        guard reader.isAtEnd, Set(tables.map { Identifier.key($0.name) }).count == tables.count else {
            throw Reader.damage
        }
        return (.rows, tables)
    }
}

private struct Writer {
    private(set) var bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func append(_ table: TableHistory) {
        reserveRoom(bytes.count + 64 + 4 * (table.inserted.count + table.updated.count + table.deleted.count))
        append(headOf: table)
        append(rows: table.inserted, of: table.key.count)
        append(rows: table.updated, of: table.key.count)
        append(rows: table.deleted, of: table.key.count)
        append(rows: table.old, of: table.columns.count)
    }

    mutating func append(headOf table: TableHistory) {
        append(table.name)
        append(names: table.key)
        append(names: table.columns)
    }

    mutating func append(_ head: [UInt8]) { bytes += head }

    mutating func reserveRoom(_ count: Int) { bytes.reserveCapacity(count) }

    mutating func append(count: Int) { append(UInt64(count)) }

    private mutating func append(names: [String]) {
        append(count: names.count)
        for name in names { append(name) }
    }

    /// Appends a list with one row, or an empty list for `nil`.
    mutating func append(row: [SQLValue]?) {
        append(count: row == nil ? 0 : 1)
        for value in row ?? [] { append(value, after: 0) }
    }

    mutating func append(rows: [[SQLValue]], of width: Int) {
        append(count: rows.count)
        guard !rows.isEmpty else { return }
        var last = [Int64](repeating: 0, count: width)
        for row in rows {
            for (index, value) in row.enumerated() {
                append(value, after: last[index])
                if case .integer(let number) = value { last[index] = number }
            }
        }
    }

    private mutating func append(_ value: SQLValue, after last: Int64) {
        switch value {
        case .null: bytes.append(0)
        case .integer(let number):
            bytes.append(1)
            append(number &- last)
        case .real(let number):
            bytes.append(2)
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        case .text(let text):
            bytes.append(3)
            append(text)
        case .blob(let blob):
            bytes.append(4)
            append(count: blob.count)
            bytes += blob
        }
    }

    private mutating func append(_ text: String) {
        append(count: text.utf8.count)
        bytes += text.utf8
    }

    /// Appends an integer with its sign in the lowest bit, so that negative numbers close to zero take few bytes.
    private mutating func append(_ number: Int64) { append(UInt64(bitPattern: (number << 1) ^ (number >> 63))) }

    private mutating func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

private struct Reader {
    var bytes: ArraySlice<UInt8>

    static var damage: RepositoryError { HistoryTable.damage("an entry cannot be read") }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func byte() throws(RepositoryError) -> UInt8 {
        guard let byte = bytes.popFirst() else { throw Self.damage }
        return byte
    }

    /// Reads the number of elements that follow; throws if fewer bytes remain, because each element takes at least one.
    mutating func count() throws(RepositoryError) -> Int {
        let number = try number()
        guard number <= UInt64(bytes.count) else { throw Self.damage }
        return Int(number)
    }

    mutating func table() throws(RepositoryError) -> TableHistory {
        var table = TableHistory(name: try text(), key: try names())
        guard !table.key.isEmpty else { throw Self.damage }
        table.columns = try names()
        for names in [table.key, table.columns] {
            guard Set(names.map { Identifier.key($0) }).count == names.count else { throw Self.damage }
        }
        table.inserted = try rows(of: table.key.count)
        table.updated = try rows(of: table.key.count)
        table.deleted = try rows(of: table.key.count)
        table.old = try rows(of: table.columns.count)
        guard table.columns.isEmpty || table.old.count == table.updated.count + table.deleted.count else {
            throw Self.damage
        }
        return table
    }

    private mutating func names() throws(RepositoryError) -> [String] {
        var names: [String] = []
        for _ in 0..<(try count()) { names.append(try text()) }
        return names
    }

    private mutating func rows(of width: Int) throws(RepositoryError) -> [[SQLValue]] {
        let count = try count()
        guard count == 0 || width > 0 else { throw Self.damage }
        var rows: [[SQLValue]] = []
        var last = [Int64](repeating: 0, count: width)
        for _ in 0..<count {
            var row: [SQLValue] = []
            for index in 0..<width { row.append(try value(&last[index])) }
            rows.append(row)
        }
        return rows
    }

    private mutating func value(_ last: inout Int64) throws(RepositoryError) -> SQLValue {
        switch try byte() {
        case 0: return .null
        case 1:
            let number = try number()
            last &+= Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
            return .integer(last)
        case 2:
            let raw = try take(8)
            return .real(Double(bitPattern: raw.reversed().reduce(0) { $0 << 8 | UInt64($1) }))
        case 3: return .text(try text())
        case 4: return .blob(Array(try take(try count())))
        default: throw Self.damage
        }
    }

    private mutating func text() throws(RepositoryError) -> String {
        let raw = try take(try count())
        guard let text = String(validating: raw, as: UTF8.self) else { throw Self.damage }
        return text
    }

    private mutating func take(_ count: Int) throws(RepositoryError) -> ArraySlice<UInt8> {
        guard count <= bytes.count else { throw Self.damage }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    private mutating func number() throws(RepositoryError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try byte()
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw Self.damage
    }
}
