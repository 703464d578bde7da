extension SQLText {
    /// The most values that are bound one by one; more than SQLite's own limit on parameters allows everywhere.
    static let mostSingleValues = 32_000

    /// Writes that a column has one of the values.
    ///
    /// Integers and texts go as one JSON array in one parameter, so that any number of them makes the same statement
    /// and no limit is met. Bytes go as one blob that is cut into pieces; numbers with a fraction are bound one by one.
    static func membership<Root: Entity>(
        _ column: AnyColumn<Root>, _ values: [any ColumnValue]
    ) throws(RepositoryError) -> SQLText {
        var stored: [SQLValue] = []
        stored.reserveCapacity(values.count)
        var hasNull = false
        for value in values {
            let value = try column.stored(value)
            if value == .null { hasNull = true } else { stored.append(value) }
        }
        var sql = SQLText("(")
        if hasNull {
            sql.append(name: column.name)
            sql.append(" IS NULL OR ")
        }
        sql.append(try list(column, stored))
        sql.append(")")
        return sql
    }

    private static func list<Root: Entity>(
        _ column: AnyColumn<Root>, _ stored: [SQLValue]
    ) throws(RepositoryError) -> SQLText {
        var sql = SQLText("")
        guard !stored.isEmpty else {
            sql.append("FALSE")
            return sql
        }
        sql.append(name: column.name)
        sql.append(" IN (")
        if let json = JSONArray.text(of: stored) {
            sql.append("SELECT value FROM json_each(")
            sql.bind(.text(json))
            sql.append(")")
        } else if stored.count > 64, let (bytes, places) = JSONArray.pieces(of: stored) {
            sql.append("SELECT substr(")
            sql.bind(.blob(bytes))
            sql.append(", json_extract(value, '$[0]'), json_extract(value, '$[1]')) FROM json_each(")
            sql.bind(.text(places))
            sql.append(")")
        } else {
            guard stored.count <= mostSingleValues else {
                throw RepositoryError.tooBig(
                    detail: "\(stored.count) values for \(column.name), at most \(mostSingleValues) can be listed")
            }
            for (index, value) in stored.enumerated() {
                if index > 0 { sql.append(", ") }
                sql.bind(value)
            }
        }
        sql.append(")")
        return sql
    }
}

/// Writes values as the text of a JSON array.
enum JSONArray {
    /// The array, or nil when a value is neither an integer nor a text that JSON carries unchanged.
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

    /// All blobs in one, and the array of their places and lengths; nil when a value is not a blob.
    static func pieces(of values: [SQLValue]) -> (bytes: [UInt8], places: String)? {
        var bytes: [UInt8] = []
        var places = "["
        for (index, value) in values.enumerated() {
            guard case .blob(let piece) = value else { return nil }
            if index > 0 { places.append(",") }
            places += "[\(bytes.count + 1),\(piece.count)]"
            bytes += piece
        }
        places.append("]")
        return (bytes, places)
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
