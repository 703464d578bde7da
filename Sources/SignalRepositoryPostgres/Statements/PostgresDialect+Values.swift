import RepositoryCore

// A list of values is one array in one parameter, so that the statement is the same for lists of any length.
extension PostgresDialect {
    func condition(_ columns: [StoredColumn], areOneOf rows: [[SQLValue]]) -> SQLText {
        let arrays = columns.indices.compactMap { index in
            isDeclaration ? nil : BinaryArray(rows.map { $0[index] }, of: columns[index])
        }
        // Without arrays, the values are listed as rows, so that they get the types of the columns.
        guard arrays.count == columns.count else { return "(\(columns)) IN (\(rows: rows))" }
        return "(\(columns)) IN (SELECT * FROM unnest(\(arrays.map(\.sql))))"
    }

    func condition(_ column: StoredColumn, isAmong values: [SQLValue]) throws(RepositoryError) -> SQLText {
        if !isDeclaration, let array = BinaryArray(values, of: column) { return "\(column) = ANY(\(array.sql))" }
        guard values.count <= SQLText.maxSingleValues else {
            throw .tooBig(
                detail: "\(values.count) values for \(column.name), at most \(SQLText.maxSingleValues) can be listed")
        }
        return "\(column) IN (\(list: values))"
    }
}

// A stored text contains no NUL, so a value with NUL equals no stored text. The value sorts after the part before its
// first NUL, and before every longer text that begins with that part.
extension PostgresDialect {
    func possible(_ test: StoredTest) -> StoredTest {
        switch test {
        case .comparison(let column, let comparison, .text(let text)):
            guard let start = Self.start(of: text) else { return test }
            switch comparison {
            case .equal: return .constant(false)
            case .notEqual: return .constant(true)
            case .less, .lessOrEqual: return .comparison(column, .lessOrEqual, start)
            case .greater, .greaterOrEqual: return .comparison(column, .greater, start)
            }
        case .range(let column, .text(let lower), .text(let upper)):
            guard Self.start(of: lower) != nil || Self.start(of: upper) != nil else { return test }
            return .all([
                .comparison(column, .greaterOrEqual, .text(lower)), .comparison(column, .lessOrEqual, .text(upper)),
            ])
        case .membership(let column, let values):
            return .membership(column, values.filter { !Self.isImpossible($0) })
        case .rows(let columns, let rows):
            let possible = rows.filter { row in !row.contains(where: Self.isImpossible) }
            return possible.isEmpty ? .constant(false) : .rows(columns, possible)
        case .search(_, _, let pattern) where pattern.contains(0): return .constant(false)
        default: return test
        }
    }

    /// Returns the part of a text before its first NUL; `nil` if the text has no NUL.
    private static func start(of text: String) -> SQLValue? {
        text.utf8.firstIndex(of: 0).map { .text(String(text[..<$0])) }
    }

    private static func isImpossible(_ value: SQLValue) -> Bool {
        if case .text(let text) = value { text.utf8.contains(0) } else { false }
    }
}

// Keys that the server generates.
extension PostgresDialect {
    /// The column alias under which a statement returns a server-generated key.
    static let generatedKey = "signal_repository_key"

    // The server generates a value only for a column that the statement leaves out. So the statement itself calls the
    // sequence if the key is NULL. A given key that is greater than the sequence's last key moves the sequence.
    func generatedKey(_ column: String, of table: String, number: Int) -> SQLText {
        let sequence = Self.sequence(of: column, in: table)
        return """
            CASE WHEN ?::bigint IS NULL THEN nextval(\(sequence)) \
            WHEN \(parameter: number) > coalesce(pg_sequence_last_value(\(sequence)), 0) \
            THEN setval(\(sequence), \(parameter: number)) ELSE \(parameter: number) END
            """
    }

    /// Returns an expression for the sequence that generates a table's keys.
    static func sequence(of column: String, in table: String) -> SQLText {
        let (table, column) = (Identifier.literal(Identifier.quoted(table)), Identifier.literal(column))
        return "pg_get_serial_sequence(\(quoted: table), \(quoted: column))"
    }

    func returning(key column: String) -> SQLText { " RETURNING \(name: column) AS \(name: Self.generatedKey)" }
}

/// Values as an array in PostgreSQL's binary format.
struct BinaryArray {
    let bytes: [UInt8]
    /// The cast to the type of the array.
    let type: StaticString

    var sql: SQLText { "\(bind: .blob(bytes))\(literal: type)" }

    /// Encodes values; `nil` for NULL, for values of different types, and for bytes that may or may not be ids.
    init?(_ values: [SQLValue], of column: StoredColumn) {
        let number: UInt32
        switch (values[0], column.holdsID) {
        case (.integer, _): (number, type) = (20, "::bigint[]")
        case (.real, _): (number, type) = (701, "::double precision[]")
        case (.text, _): (number, type) = (25, "::text[]")
        case (.blob, true?): (number, type) = (2950, "::uuid[]")
        case (.blob, false?): (number, type) = (17, "::bytea[]")
        case (.blob, nil), (.null, _): return nil
        }
        guard values.allSatisfy({ $0.typeNumber == values[0].typeNumber && $0 != .null }) else { return nil }
        var bytes: [UInt8] = []
        // The array's header: one dimension, no NULL, the elements' type and number, and the index of the first one.
        for word in [1, 0, number, UInt32(values.count), 1] { bytes.append(bigEndian: word) }
        for value in values { bytes.append(field: value) }
        self.bytes = bytes
    }
}
