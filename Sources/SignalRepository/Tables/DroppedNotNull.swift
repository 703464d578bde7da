/// A column that became optional; dropping NOT NULL changes the table's declaration, but not the rows.
struct DroppedNotNull: Sendable, Equatable {
    let table: String
    let name: String

    /// Drops the NOT NULL in the open transaction; throws if the new declaration differs in anything else.
    func dropNotNull(on connection: Connection) throws(RepositoryError) {
        guard let text = try connection.declaration(of: table), let relaxed = Self.relaxed(text, column: name) else {
            throw unreadable
        }
        var expected = try TableShape(table, text, in: connection)
        for position in expected.columns.indices where expected.columns[position].name == name {
            expected.columns[position].isOptional = true
        }
        guard try connection.rewriteDeclaration([(table, relaxed)]),
            try TableShape(table, relaxed, in: connection) == expected
        else { throw unreadable }
    }

    private var unreadable: RepositoryError {
        .schemaMismatch(
            detail:
                "\(table).\(name) is declared as optional, but its NOT NULL cannot be dropped from the table's "
                + "declaration: copy the rows to a new table in a Migration")
    }

    /// Returns the declaration of a table without the NOT NULL of a column; `nil` if the column has no NOT NULL.
    static func relaxed(_ declaration: String, column: String) -> String? {
        let declaration = TableDeclaration(declaration)
        return declaration.item(of: column).flatMap { relaxed(declaration.text, $0) }
    }

    private static func relaxed(_ text: [UInt8], _ words: ArraySlice<DeclarationWord>) -> String? {
        let own = words.filter { $0.depth == 1 }
        let position = own.indices.dropLast().first { own[$0].says("NOT") && own[$0 + 1].says("NULL") }
        guard let position else { return nil }
        var start = own[position].range.lowerBound
        while start > 0, text[start - 1] == UInt8(ascii: " ") { start -= 1 }
        return String(decoding: text[..<start] + text[own[position + 1].range.upperBound...], as: UTF8.self)
    }
}
