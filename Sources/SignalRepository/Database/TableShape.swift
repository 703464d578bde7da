/// A table as it is declared, or as it stands in a file.
struct TableShape: Sendable, Equatable {
    var name: String
    var columns: [ColumnShape]
    var indexes: [IndexShape]

    /// The statement that makes the table, without its indexes.
    var creation: String {
        let columns = columns.map(\.declaration).joined(separator: ", ")
        return "CREATE TABLE \(Identifier.quoted(name)) (\(columns)) STRICT"
    }
}

/// A column as it is declared, or as it stands in a file.
struct ColumnShape: Sendable, Equatable {
    var name: String
    /// INTEGER, REAL, TEXT or BLOB.
    var type: String
    var isOptional: Bool
    var isKey: Bool
    /// The default as it stands in the declaration.
    var defaultLiteral: String?
    /// The default itself, when the column is declared.
    var defaultValue: SQLValue?
    var reference: ReferenceShape?

    /// The column's part of CREATE TABLE and of ADD COLUMN.
    var declaration: String {
        var text = "\(Identifier.quoted(name)) \(type)"
        if isKey { text += " PRIMARY KEY" }
        // A key of integers is the row number and never NULL; said for every other key, because SQLite would allow
        // NULL.
        if !isOptional { text += " NOT NULL" }
        if let defaultLiteral { text += " DEFAULT \(defaultLiteral)" }
        if let reference { text += " \(reference.declaration)" }
        return text
    }
}

/// A reference of a column to the key of a table.
struct ReferenceShape: Sendable, Equatable {
    var table: String
    /// What SQLite calls the rule, such as CASCADE.
    var rule: String

    var declaration: String { "REFERENCES \(Identifier.quoted(table)) ON DELETE \(rule)" }
}

/// An index that the schema declares, or that stands in a file.
struct IndexShape: Sendable, Equatable {
    var name: String
    var columns: [String]
    var isUnique: Bool

    /// The statement that makes the index.
    func creation(on table: String) -> String {
        let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
        return "CREATE \(kind) \(Identifier.quoted(name)) ON \(Identifier.quoted(table)) (\(Identifier.list(columns)))"
    }

    /// The name that says what the index is.
    static func name(table: String, columns: [String], isUnique: Bool) -> String {
        "\(isUnique ? "unique" : "index")_\(table)(\(columns.joined(separator: ",")))"
    }

    /// Whether an index of this name was made for a declaration, and so goes with it.
    ///
    /// It keeps the name that the table had when it was made; the table may have been renamed by a migration.
    static func isOurs(_ name: String) -> Bool {
        (name.hasPrefix("index_") || name.hasPrefix("unique_")) && name.contains("(") && name.hasSuffix(")")
    }
}
