/// The rules for the names of tables and columns.
enum Identifier {
    /// Returns the name in double quotes, ready to stand in a statement.
    static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// Returns names in double quotes with commas between them.
    static func list(_ names: [String]) -> String {
        names.map(quoted).joined(separator: ", ")
    }

    /// Throws when a name is not one that a table or column can have.
    static func check(_ name: String, of thing: String) throws(RepositoryError) {
        guard !name.isEmpty else { throw .misuse(detail: "the name of \(thing) is empty") }
        guard !name.utf8.contains(0) else { throw .misuse(detail: "the name of \(thing) contains NUL") }
        guard !name.lowercased().hasPrefix("signal_repository_") else {
            throw .misuse(detail: "the name of \(thing), \(name), begins with signal_repository_, which is the store's")
        }
        guard !name.lowercased().hasPrefix("sqlite_") else {
            throw .misuse(detail: "the name of \(thing), \(name), begins with sqlite_, which SQLite keeps for itself")
        }
    }
}
