import CPostgres
import RepositoryCore

/// The catalog's description of a published table, which decodes the table's rows from the stream.
///
/// Safe to share, because it is immutable.
final class StreamedTable: Sendable {
    let layout: TableLayout
    /// The columns that the stream sends: all except computed columns.
    let relation: StreamedRelation
    /// A text that changes when any program rewrites or alters the table.
    let version: String
    private let kinds: [WireValue.Kind?]

    var name: String { layout.name }
    var number: UInt32 { relation.number }

    init(_ relation: StreamedRelation, key: [Int], version: String) {
        (self.relation, self.version) = (relation, version)
        kinds = relation.columns.map { WireValue.Kind(typeNumber: $0.type) }
        layout = TableLayout(
            name: relation.name,
            columns: zip(relation.columns, kinds).map { column, kind in
                TableLayout.Column(name: column.name, affinity: kind == .real ? .real : .blob, absent: .null)
            },
            // Without a key, the old and the new version of a row cannot be matched.
            key: key, hasRowID: false, isFollowed: !key.isEmpty, findsCharacters: false)
    }

    /// Whether two descriptions of a table have the same columns, version and key.
    func isLike(_ other: StreamedTable) -> Bool {
        relation == other.relation && version == other.version && layout.key == other.layout.key
    }

    /// Returns the values of a row.
    ///
    /// A value that the stream has not sent comes from the old row.
    ///
    /// Returns `nil` if a value is unknown or NaN. The server compares NaN differently than the library does.
    func values(of tuple: StreamedTuple, before old: [SQLValue]? = nil) throws(ReplicationFault) -> [SQLValue]? {
        guard tuple.isComplete, tuple.count == kinds.count else { return nil }
        var values: [SQLValue] = []
        values.reserveCapacity(kinds.count)
        var isComplete = true
        try tuple.forEach { index, field throws(ReplicationFault) in
            switch field {
            case .null: values.append(.null)
            case .unchanged:
                isComplete = isComplete && old != nil
                values.append(old?[index] ?? .null)
            case .binary(let bytes):
                let value = try SQLValue(kinds[index], bytes)
                if case .real(let number) = value, number.isNaN { isComplete = false }
                values.append(value)
            case .text(let bytes):
                if kinds[index] != nil { throw .badValue }
                values.append(.blob(Array(bytes)))
            }
        }
        return isComplete ? values : nil
    }
}

extension SQLValue {
    /// Decodes a binary value.
    ///
    /// If no entity can have a column of its type, keeps the value's bytes.
    fileprivate init(_ kind: WireValue.Kind?, _ bytes: UnsafeRawBufferPointer) throws(ReplicationFault) {
        guard let kind, let length = Int32(exactly: bytes.count) else {
            self = .blob(Array(bytes))
            return
        }
        let wire = WireValue(kind, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: length)
        switch kind {
        case .integer:
            guard let number = wire.integer else { throw .badValue }
            self = .integer(number)
        case .real:
            guard let number = wire.real else { throw .badValue }
            self = .real(number)
        case .text:
            guard let text = String(validating: bytes, as: UTF8.self) else { throw .noText }
            self = .text(text)
        case .blob, .null: self = .blob(Array(bytes))
        }
    }
}

extension PostgresConnection {
    /// Returns, by their numbers, the tables of a publication for which the server sends the old row with each change.
    ///
    /// The result lacks tables with a computed property, because the stream leaves out computed columns. Tables with
    /// row security or child tables get no key, so their rows are not captured: the stream ignores row security, and
    /// reports the rows of a child table under the child's name.
    func streamedTables(of publication: String) throws(RepositoryError) -> [UInt32: StreamedTable] {
        struct Columns {
            let name: String
            let version: String
            var all: [StreamedRelation.Column] = []
            var key: [(position: Int64, index: Int)] = []
        }
        let rows = try rows(Self.streamed, [.text(publication)])
        var found: [UInt32: Columns] = [:]
        for row in rows {
            guard case .integer(let number) = row[0], let number = UInt32(exactly: number),
                case .text(let table) = row[1], case .text(let version) = row[2], case .text(let column) = row[3],
                case .integer(let type) = row[4], let type = UInt32(exactly: type)
            else { continue }
            var columns = found[number] ?? Columns(name: table, version: version)
            if case .integer(let position) = row[5] { columns.key.append((position, columns.all.count)) }
            columns.all.append(StreamedRelation.Column(name: column, type: type))
            found[number] = columns
        }
        var tables: [UInt32: StreamedTable] = [:]
        for (number, columns) in found {
            tables[number] = StreamedTable(
                StreamedRelation(number: number, schema: schema, name: columns.name, columns: columns.all),
                key: columns.key.sorted { $0.position < $1.position }.map(\.index), version: columns.version)
        }
        return tables
    }

    /// The query for the columns of the streamed tables, one row for each column.
    ///
    /// Fields 0 to 2 are the table's number, name and version. Fields 3 to 5 are the column's name, type and position
    /// in the key.
    private static let streamed = """
        SELECT c.oid::bigint, c.relname, c.relfilenode::text || ' ' || c.xmin::text, \
        a.attname, a.atttypid::bigint, CASE WHEN NOT row_security_active(c.oid) \
        AND NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhparent = c.oid) \
        THEN array_position(k.conkey, a.attnum)::bigint END \
        FROM pg_publication p JOIN pg_publication_rel r ON r.prpubid = p.oid JOIN pg_class c ON c.oid = r.prrelid \
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' \
        LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p' \
        WHERE p.pubname = ? AND c.relnamespace = \(SchemaShape.namespace) AND c.relreplident = 'f' \
        AND NOT EXISTS (SELECT 1 FROM pg_attribute g \
        WHERE g.attrelid = c.oid AND g.attgenerated <> '' AND g.attname <> '\(PostgresSearch.column)') \
        ORDER BY c.oid, a.attnum
        """
}
