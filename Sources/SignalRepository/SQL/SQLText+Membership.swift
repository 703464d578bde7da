extension SQLText {
    /// The most values that are bound one by one; more would exceed SQLite's own limit on parameters in some builds.
    static let mostSingleValues = 32_000

    /// Writes that a column has one of the values.
    ///
    /// Integers and texts are passed as one JSON array in one parameter, so that any number of them makes the same
    /// statement and no limit is met. Bytes, and texts with NUL, which JSON cannot represent, are passed as one blob
    /// that is cut into pieces; numbers with a fraction are bound one by one.
    mutating func append(_ column: StoredColumn, isIn values: [SQLValue]) throws(RepositoryError) {
        let stored = values.filter { $0 != .null }
        append("(")
        if stored.count < values.count {
            append(column: column)
            append(" IS NULL OR ")
        }
        try append(column, isAmong: stored)
        append(")")
    }

    /// Writes that columns have the values of one of some rows.
    mutating func append(_ columns: [StoredColumn], areAmong rows: [[SQLValue]]) throws(RepositoryError) {
        guard rows.count * columns.count <= Self.mostSingleValues else {
            throw .tooBig(
                detail: "\(rows.count) keys of \(columns.count) columns, at most "
                    + "\(Self.mostSingleValues) values can be listed")
        }
        append("(")
        for (index, column) in columns.enumerated() {
            if index > 0 { append(", ") }
            append(column: column)
        }
        // Of rows that stand in a query of their own SQLite makes an index, and looks each up in that of the key.
        append(") IN (SELECT * FROM (VALUES ")
        for (number, row) in rows.enumerated() {
            append(number > 0 ? ", (" : "(")
            for (index, value) in row.enumerated() {
                if index > 0 { append(", ") }
                bind(value)
            }
            append(")")
        }
        append("))")
    }

    private mutating func append(_ column: StoredColumn, isAmong stored: [SQLValue]) throws(RepositoryError) {
        guard !stored.isEmpty else { return append("FALSE") }
        append(column: column)
        append(" IN (")
        if let json = JSONArray.text(of: stored) {
            append("SELECT value FROM json_each(")
            bind(.text(json))
            append(")")
        } else if let pieces = JSONArray.pieces(of: stored) {
            append(pieces.areTexts ? "SELECT CAST(substr(" : "SELECT substr(")
            bind(.blob(pieces.bytes))
            append(", json_extract(value, '$[0]'), json_extract(value, '$[1]'))")
            append(pieces.areTexts ? " AS TEXT) FROM json_each(" : " FROM json_each(")
            bind(.text(pieces.offsets))
            append(")")
        } else {
            guard stored.count <= Self.mostSingleValues else {
                throw .tooBig(
                    detail: "\(stored.count) values for \(column.name), at most \(Self.mostSingleValues) can be listed")
            }
            for (index, value) in stored.enumerated() {
                if index > 0 { append(", ") }
                bind(value)
            }
        }
        append(")")
    }
}

/// Writes values as the text of a JSON array.
enum JSONArray {
    /// The array, or nil when a value is neither an integer nor a text that JSON represents unchanged.
    static func text(of values: [SQLValue]) -> String? {
        var json = "["
        for (index, value) in values.enumerated() {
            if index > 0 { json.append(",") }
            switch value {
            case .integer(let number): json += String(number)
            case .text(let text): guard append(text, to: &json) else { return nil }
            case .null, .real, .blob: return nil
            }
        }
        json.append("]")
        return json
    }

    /// All blobs or all texts in one blob, and the array of their offsets and lengths; nil when they are neither, or so
    /// few that each is better bound separately.
    static func pieces(of values: [SQLValue]) -> (bytes: [UInt8], offsets: String, areTexts: Bool)? {
        guard values.count > 64 else { return nil }
        var bytes: [UInt8] = []
        var offsets = "["
        var texts = 0
        for (index, value) in values.enumerated() {
            if index > 0 { offsets.append(",") }
            let start = bytes.count
            switch value {
            case .blob(let piece): bytes += piece
            case .text(let piece):
                bytes += piece.utf8
                texts += 1
            case .null, .integer, .real: return nil
            }
            offsets += "[\(start + 1),\(bytes.count - start)]"
        }
        guard texts == 0 || texts == values.count else { return nil }
        offsets.append("]")
        return (bytes, offsets, texts > 0)
    }

    private static func append(_ text: String, to json: inout String) -> Bool {
        json.append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0": return false
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case let control where control.value < 0x20:
                let digits = String(control.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        json.append("\"")
        return true
    }
}
