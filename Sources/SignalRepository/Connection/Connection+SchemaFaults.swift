extension Connection {
    /// Returns the message for a statement that cannot be prepared because of the schema, or `nil` for other failures.
    ///
    /// This method executes other statements, so the failed statement must have been reset.
    func schemaFault(_ message: String) -> String? {
        if let name = message.after("no such collation sequence: ") { return missing(collation: name) }
        if let name = message.after("no such table: main.") { return missing(table: name) }
        if let name = message.after("no such table: ") {
            // Both names may contain a dot, so the first dot does not show where the name of the file ends.
            let file = options.attached.first { name.after($0.name + ".") != nil }
            guard let file, let table = name.after(file.name + ".") else { return nil }
            return "the attached file \(file.name) (\(file.path)) no longer has the table \(table)"
        }
        if message.hasPrefix("foreign key mismatch") {
            let names = DeclarationWord.words(of: Array(message.utf8)).filter { $0.text.first == UInt8(ascii: "\"") }
            guard names.count == 2 else { return nil }
            return
                "\(names[0].bareName) refers to columns of \(names[1].bareName) that are neither its key nor unique: "
                + "make them unique, or open the file read-only"
        }
        if let name = message.after("unsafe use of ") {
            return "the schema uses \(name), which only a statement can call: a trigger, a view or an index must not "
                + "use a function of the program, because other programs do not have it"
        }
        return nil
    }

    private func missing(collation: String) -> String {
        let users = (try? columns(comparedBy: collation)) ?? []
        let which = users.isEmpty ? "" : ", which is used by \(users.prefix(5).joined(separator: ", "))"
        return "the store was opened without the collation \(collation)\(which): add it to "
            + "RepositoryConfiguration.collations"
    }

    private func missing(table: String) -> String {
        let references = try? texts(
            """
            SELECT t.name || '.' || k."from" FROM sqlite_schema AS t JOIN pragma_foreign_key_list(t.name) AS k \
            WHERE t.type = 'table' AND k."table" = ? COLLATE NOCASE ORDER BY t.name, k.id, k.seq LIMIT 5
            """, [.text(table)])
        guard let references, !references.isEmpty else {
            return "a trigger, a view or the statement uses the table \(table), which does not exist"
        }
        return "\(references.joined(separator: ", ")) refers to the table \(table), which does not exist: "
            + "create that table, or open the file read-only"
    }

    /// Returns the columns and indexes that use a collation.
    private func columns(comparedBy collation: String) throws(RepositoryError) -> [String] {
        var users: [String] = []
        let columns = try rows(
            """
            SELECT t.name, c.name FROM sqlite_schema AS t JOIN pragma_table_xinfo(t.name) AS c WHERE t.type = 'table' \
            ORDER BY t.name, c.cid
            """)
        for row in columns {
            guard case .text(let table) = row[0], case .text(let column) = row[1] else { continue }
            let known = self.collation(of: column, in: table)
            if Identifier.key(known) == Identifier.key(collation) { users.append("\(table).\(column)") }
        }
        return try users
            + texts(
                """
                SELECT DISTINCT 'the index ' || i.name || ' of ' || i.tbl_name FROM sqlite_schema AS i \
                JOIN pragma_index_xinfo(i.name) AS c WHERE i.type = 'index' AND c.coll = ? COLLATE NOCASE ORDER BY 1
                """, [.text(collation)])
    }
}

extension String {
    /// Returns the text after a prefix, or `nil` if this string does not begin with the prefix.
    fileprivate func after(_ start: String) -> String? {
        hasPrefix(start) ? String(decoding: utf8.dropFirst(start.utf8.count), as: UTF8.self) : nil
    }
}
