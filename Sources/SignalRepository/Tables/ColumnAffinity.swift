extension ColumnAffinity {
    /// Determines the affinity of a column from its declared type, by SQLite's rules.
    init(declaration: String, isStrict: Bool = false) {
        let type = Identifier.key(declaration)
        func has(_ parts: String...) -> Bool {
            parts.contains { !type.ranges(of: Identifier.key($0)).isEmpty }
        }
        if isStrict, type == Identifier.key("ANY") {
            self = .blob
        } else if has("INT") {
            self = .integer
        } else if has("CHAR", "CLOB", "TEXT") {
            self = .text
        } else if has("BLOB") || type.isEmpty {
            self = .blob
        } else {
            self = has("REAL", "FLOA", "DOUB") ? .real : .numeric
        }
    }

    var type: String {
        switch self {
        case .integer: "INTEGER"
        case .text: "TEXT"
        case .blob: "BLOB"
        case .real: "REAL"
        case .numeric: "NUMERIC"
        }
    }
}
