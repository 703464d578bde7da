/// A table as declared, or as found in a file.
package struct TableShape: Sendable, Equatable {
    package var name: String
    package var columns: [ColumnShape]
    package var indexes: [IndexShape]

    /// The columns of a composite key, in its order; empty where one column is the key.
    package var compositeKey: [String] = []
    /// The index in which words are searched.
    package var search = SearchShape()

    /// The statement that creates the table, without its indexes.
    package var creation: String {
        var parts = columns.map { compositeKey.isEmpty ? $0.declaration : $0.plainDeclaration }
        if !compositeKey.isEmpty { parts.append("PRIMARY KEY (\(Identifier.list(compositeKey)))") }
        return "CREATE TABLE \(Identifier.quoted(name)) (\(parts.joined(separator: ", "))) STRICT"
    }
}

/// A column as declared, or as found in a file.
package struct ColumnShape: Sendable, Equatable {
    package var name: String
    /// INTEGER, REAL, TEXT or BLOB.
    package var type: String
    package var isOptional: Bool
    package var isKey: Bool
    /// Whether SQLite gives the key, and never gives one twice.
    package var isGenerated = false
    /// The default as it appears in the declaration.
    package var defaultLiteral: String?
    /// The default itself, if the column is declared.
    package var defaultValue: SQLValue?
    package var reference: ReferenceShape?
    /// What the values mean; `nil` where the type says everything, and where the file does not state it.
    package var meaning: ColumnMeaning?
    /// Whether the store keeps a time in the column, which only a declaration says.
    package var keptTime: KeptValue?

    /// The column's part of CREATE TABLE and of ADD COLUMN.
    package var declaration: String { declaration(isKey: isKey) }

    /// The part of a column that is not the key by itself.
    package var plainDeclaration: String { declaration(isKey: false) }

    private func declaration(isKey: Bool) -> String {
        // In a comment, which is kept when the column is renamed: a STRICT table allows no type name that could express
        // it.
        var text = [Identifier.quoted(name), meaning?.comment, type].compactMap(\.self).joined(separator: " ")
        if isKey { text += isGenerated ? " PRIMARY KEY AUTOINCREMENT" : " PRIMARY KEY" }
        // An integer key is the rowid and never NULL; this is stated for every other key, because SQLite would allow
        // NULL.
        if !isOptional { text += " NOT NULL" }
        if let defaultLiteral { text += " DEFAULT \(defaultLiteral)" }
        if let reference { text += " \(reference.declaration)" }
        return text
    }

    /// The statement that adds the column to a table.
    package func addition(to table: String) -> String {
        "ALTER TABLE \(Identifier.quoted(table)) ADD COLUMN \(declaration)"
    }

    /// The statement that stores a value, its parameter, in each row of a table.
    package func filling(of table: String) -> String {
        "UPDATE \(Identifier.quoted(table)) SET \(Identifier.quoted(name)) = ?"
    }

    /// The statement that drops a column of a table.
    package static func removal(of name: String, from table: String) -> String {
        "ALTER TABLE \(Identifier.quoted(table)) DROP COLUMN \(Identifier.quoted(name))"
    }
}

extension ColumnShape {
    /// Whether a table's declaration says AUTOINCREMENT, which only its key can.
    package static func isGenerated(in declaration: String) -> Bool {
        var code = declaration
        // What is quoted, and what is a comment, says nothing.
        for (start, end) in [("\"", "\""), ("'", "'"), ("/*", "*/"), ("--", "\n")] {
            while let first = code.firstRange(of: start) {
                let last = code[first.upperBound...].firstRange(of: end)?.upperBound ?? code.endIndex
                code.replaceSubrange(first.lowerBound..<last, with: " ")
            }
        }
        return code.uppercased().contains("AUTOINCREMENT")
    }
}

/// A reference of a column to the key of a table.
package struct ReferenceShape: Sendable, Equatable {
    package var table: String
    /// SQLite's name for the rule, such as CASCADE.
    package var rule: String

    package var declaration: String { "REFERENCES \(Identifier.quoted(table)) ON DELETE \(rule)" }
}

/// An index that the schema declares, or that was found in a file.
package struct IndexShape: Sendable, Equatable {
    package var name: String
    package var columns: [String]
    package var isUnique: Bool

    /// The statement that creates the index.
    package func creation(on table: String) -> String {
        let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
        return "CREATE \(kind) \(Identifier.quoted(name)) ON \(Identifier.quoted(table)) (\(Identifier.list(columns)))"
    }

    /// The name that describes the index.
    package static func name(table: String, columns: [String], isUnique: Bool) -> String {
        "\(isUnique ? "unique" : "index")_\(table)(\(columns.joined(separator: ",")))"
    }

    /// Whether an index of this name was created for a declaration, and so is dropped with it.
    ///
    /// It keeps the name that the table had when it was created; a migration may have renamed the table.
    package static func isOurs(_ name: String) -> Bool {
        let bytes = name.utf8
        return (bytes.starts(with: "index_".utf8) || bytes.starts(with: "unique_".utf8))
            && bytes.contains(UInt8(ascii: "(")) && bytes.last == UInt8(ascii: ")")
    }
}
