import Foundation

struct SQLiteTypes: ColumnTypes {
    func name(of storageClass: StorageClass, holdsIDs: Bool) -> String { storageClass.declaration }

    var dialect: any Dialect { SQLiteDialect(isDeclaration: true) }

    // Only declarations use literals: statements bind their values.
    func literal(_ value: SQLValue, of type: String) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value) where value.isInfinite: value > 0 ? "9e999" : "-9e999"
        case .real(let value): "\(value)"
        case .text(let text): Identifier.literal(text)
        case .blob(let bytes):
            "x'\(bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined())'"
        }
    }

    /// Returns the SQL of a number, which SQLite reads as exactly this number.
    ///
    /// SQLite reads one in ten thousand decimal literals, and most literals near zero, as a neighboring number.
    func constant(_ value: SQLValue) -> String {
        guard case .real(let number) = value, number.isFinite, !number.isPlainly("\(number)") else {
            return literal(value, of: "")
        }
        // The SQL scales a whole number by powers of two, which is exact.
        var exponent = Int(number.exponent) - 52
        let significand = Int64((number.significand * 0x1p52).rounded()) * (number.sign == .minus ? -1 : 1)
        var text = "(\(significand) * 1.0"
        while exponent != 0 {
            let step = min(abs(exponent), 62)
            text += exponent > 0 ? " * \(Int64(1) << step)" : " / \(Int64(1) << step)"
            exponent += exponent > 0 ? -step : step
        }
        return text + ")"
    }

    func check(_ table: TableShape) throws(RepositoryError) {
        guard !table.search.isEmpty else { return }
        // The full-text index finds a row by the name `_rowid_`.
        if let column = table.columns.first(where: { Identifier.key($0.name) == Identifier.key("_rowid_") }) {
            throw .misuse(detail: "\(table.name) cannot be searched: its column \(column.name) hides the rowid")
        }
        if let name = table.search.first(where: { ["rank", "rowid"].contains($0.lowercased()) }) {
            throw .misuse(detail: "\(table.name).\(name) cannot be searched: FTS5 reserves the name")
        }
    }
}

extension Double {
    /// Whether a text has few digits and is exactly this number, so that every parser reads it as this number.
    fileprivate func isPlainly(_ text: String) -> Bool {
        let scaled = self * 0x1p20
        guard abs(scaled) < 0x1p53, scaled == scaled.rounded(), text.utf8.count <= 16, !text.contains("e"),
            let written = Decimal(string: text)
        else { return false }
        return written * 1_048_576 == Decimal(Int64(scaled))
    }
}

extension TableShape {
    /// The statement that creates the table, without its indexes.
    var creation: String {
        var parts = columns.map { compositeKey.isEmpty ? $0.declaration : $0.plainDeclaration }
        if !compositeKey.isEmpty { parts.append("PRIMARY KEY (\(Identifier.list(compositeKey)))") }
        parts += references.map(\.declaration) + checks.map(\.declaration)
        return "CREATE TABLE \(Identifier.quoted(name)) (\(parts.joined(separator: ", "))) STRICT"
    }

    /// Returns a name of the rowid that no column hides.
    func rowNumber() throws(RepositoryError) -> String {
        let name = ["_rowid_", "rowid", "oid"].first { name in
            !columns.contains { Identifier.key($0.name) == Identifier.key(name) }
        }
        if let name { return name }
        throw .misuse(detail: "the columns of \(self.name) hide all names of the rowid: rename one of them first")
    }
}

extension ColumnShape {
    /// The column's definition in CREATE TABLE and ADD COLUMN.
    var declaration: String { declaration(isKey: isKey) }

    /// The definition of a column in a table with a composite key, without PRIMARY KEY.
    fileprivate var plainDeclaration: String { declaration(isKey: false) }

    private func declaration(isKey: Bool) -> String {
        // A comment states the meaning of the values, and survives a rename of the column. The type cannot state it,
        // because a STRICT table allows no custom type names.
        var text = [Identifier.quoted(name), meaning?.comment, type].compactMap(\.self).joined(separator: " ")
        if isKey { text += isGenerated ? " PRIMARY KEY AUTOINCREMENT" : " PRIMARY KEY" }
        // A key also needs NOT NULL, because SQLite allows NULL in every key except the rowid.
        if !isOptional { text += " NOT NULL" }
        if let defaultLiteral { text += " DEFAULT \(defaultLiteral)" }
        if let computation, let storageClass {
            // A STRICT table does not check the class of computed values, so a CHECK does. A REAL column also accepts
            // integers.
            let classes =
                (storageClass == .real ? ["real", "integer"] : [storageClass.declaration.lowercased()]) + ["null"]
            text += " GENERATED ALWAYS AS (\(computation)) STORED CONSTRAINT \(Identifier.quoted(name)) "
            text += "CHECK (typeof(\(computation)) IN (\(classes.map(Identifier.literal).joined(separator: ", "))))"
        }
        if let reference { text += " \(reference.declaration)" }
        return text
    }

    func filling(of table: String) -> String {
        "UPDATE \(Identifier.quoted(table)) SET \(Identifier.quoted(name)) = ?"
    }
}

extension IndexShape {
    func creation(on table: String) -> String {
        let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
        return "CREATE \(kind) \(Identifier.quoted(name)) ON \(Identifier.quoted(table)) "
            + (definition ?? "(\(Identifier.list(columns)))")
    }

    var removal: String { "DROP INDEX \(Identifier.quoted(name))" }
}
