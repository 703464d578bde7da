/// Undoing a commit by the old values that the store's history keeps.
extension WriteTransaction {
    /// Undoes the last commit of the transaction's author that is done, or that undoes another; `nil` if there is none.
    func undo(isRedo: Bool) throws(RepositoryError) -> HistoryEntry? {
        try checkHistory()
        let connection = try Connection.of(session)
        guard let keeper = connection.history else { throw .misuse(detail: "the store keeps no history") }
        guard let (commit, entry) = try candidate(isRedo: isRedo) else { return nil }
        if case .unknown(let reason) = entry.extent {
            throw .misuse(detail: "commit \(commit.number) cannot be undone: it is not known what it did (\(reason))")
        }
        try checkConflicts(commit, entry)
        keeper.undoes = commit
        try Inversion(of: entry, in: self, connection).run(keeper)
        return entry
    }

    private func candidate(isRedo: Bool) throws(RepositoryError) -> (UndoneCommit, HistoryEntry)? {
        var sql = SQLText(
            """
            SELECT h.number, h.mark, h.time, h.author, h.rows, h.depth FROM signal_repository_history h \
            WHERE h.author IS 
            """)
        sql.bind(author.map { .text($0) } ?? .null)
        sql.append(isRedo ? " AND h.depth % 2 = 1" : " AND h.depth % 2 = 0")
        sql.append(" AND NOT EXISTS (SELECT 1 FROM signal_repository_history u WHERE u.undoes = h.number)")
        if isRedo {
            // What was done by oneself after an undoing ends what can be done again.
            sql.append(
                """
                 AND NOT EXISTS (SELECT 1 FROM signal_repository_history n \
                WHERE n.number > h.number AND n.depth = 0 AND n.author IS h.author)
                """)
        }
        sql.append(" ORDER BY h.number DESC LIMIT 1")
        guard let row = try rows(sql).first, case .integer(let depth)? = row.last else { return nil }
        let entry = try HistoryEntry(Array(row.dropLast()))
        return (UndoneCommit(number: entry.token.number, depth: Int(depth)), entry)
    }

    /// Throws when what later commits have left done has changed the same rows.
    private func checkConflicts(_ commit: UndoneCommit, _ entry: HistoryEntry) throws(RepositoryError) {
        // Of a commit, what undoes it, what undoes that and so on, all after the one in question, the last counts if
        // they are odd in number: two take each other back.
        var sql = SQLText(
            """
            WITH RECURSIVE chain(last, target, count) AS (
                SELECT h.number, h.undoes, 1 FROM signal_repository_history h WHERE h.number > ?1
                    AND NOT EXISTS (SELECT 1 FROM signal_repository_history u WHERE u.undoes = h.number)
                UNION ALL
                SELECT c.last, h.undoes, c.count + 1 FROM chain c
                    JOIN signal_repository_history h ON h.number = c.target WHERE c.target > ?1)
            SELECT number, mark, time, author, rows FROM signal_repository_history
            WHERE number IN (SELECT last FROM chain GROUP BY last HAVING max(count) % 2 = 1) ORDER BY number
            """)
        sql.append(value: .integer(Int64(commit.number)))
        let mine = entry.content.map { table in (name: table.name, keys: Set(table.keys)) }
        for row in try rows(sql) {
            let later = try HistoryEntry(row)
            if case .unknown(let reason) = later.extent {
                throw .misuse(
                    detail: "commit \(commit.number) cannot be undone: it is not known what commit "
                        + "\(later.token.number) did (\(reason))")
            }
            for (name, keys) in mine {
                guard let table = later.content.first(where: { $0.name == name }) else { continue }
                let common = table.keys.filter(keys.contains)
                guard common.isEmpty else {
                    throw .conflict(items: common.map { FailedItem(entity: name, id: Self.spelled($0)) })
                }
            }
        }
    }

    private static func spelled(_ key: [SQLValue]) -> String {
        key.map { value in
            switch value {
            case .null: "NULL"
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            case .text(let text): text
            case .blob(let bytes): bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
        }.joined(separator: ", ")
    }
}

/// What takes back an entry: rows that go, rows that come back, rows that get their old values.
private struct Inversion {
    private let entry: HistoryEntry
    private let store: WriteTransaction
    private let connection: Connection
    private var steps: [SQLText] = []

    init(
        of entry: HistoryEntry, in store: WriteTransaction, _ connection: Connection
    ) throws(RepositoryError) {
        (self.entry, self.store, self.connection) = (entry, store, connection)
        for table in entry.content {
            guard table.updated.isEmpty && table.deleted.isEmpty || !table.columns.isEmpty else {
                throw .misuse(
                    detail: "commit \(entry.token.number) cannot be undone: the old values are kept with "
                        + "history: .kept(for:isUndoable:) alone")
            }
            // What the table computes follows by itself.
            let computed = try connection.computedColumns(of: table.name)
            let written = table.columns.indices.filter { !computed.contains(table.columns[$0]) }
            let names = written.map { table.columns[$0] }
            for key in table.inserted { steps.append(Self.deletion(of: key, table)) }
            for (key, old) in zip(table.updated, table.old) {
                steps.append(Self.update(of: key, names, written.map { old[$0] }, table))
            }
            for old in table.old.dropFirst(table.updated.count) {
                steps.append(Self.insertion(of: written.map { old[$0] }, names, table))
            }
        }
    }

    /// Does all steps, and checks that they have changed what the commit had, and nothing else.
    func run(_ keeper: any KeptHistory) throws(RepositoryError) {
        try connection.execute("PRAGMA defer_foreign_keys = ON")
        try runAll()
        let expected = Dictionary(
            uniqueKeysWithValues: entry.content.map { ($0.name, Set($0.keys)) })
        for table in try keeper.net() {
            guard let keys = expected[table.name], keys.isSuperset(of: table.keys) else {
                throw .misuse(
                    detail: "commit \(entry.token.number) cannot be undone: a trigger or a reference would change "
                        + "other rows of \(table.name)")
            }
        }
        try checkValues()
    }

    /// Does what can be done, and again what could not be done before something else: a row that is referred to goes
    /// after those that do.
    private func runAll() throws(RepositoryError) {
        var left = steps
        while !left.isEmpty {
            var (next, failure): ([SQLText], RepositoryError?) = ([], nil)
            for step in left {
                do {
                    _ = try store.changeRows(step)
                } catch {
                    guard case .constraint = error else { throw error }
                    failure = failure ?? error
                    next.append(step)
                }
            }
            if let failure, next.count == left.count { throw failure }
            left = next
        }
    }

    /// A trigger may have changed what was just written.
    private func checkValues() throws(RepositoryError) {
        for table in entry.content {
            let gone = table.inserted.map { (key: $0, old: [SQLValue]?.none) }
            let back = zip(table.updated + table.deleted, table.old).map { (key: $0, old: [SQLValue]?.some($1)) }
            for (key, old) in gone + back {
                var sql = SQLText("SELECT ")
                if table.columns.isEmpty { sql.append("1") } else { sql.append(names: table.columns) }
                sql.append(" FROM ")
                sql.append(name: table.name)
                sql.append(Self.test(key, table))
                guard try store.rows(sql).first == old else {
                    throw .misuse(
                        detail: "commit \(entry.token.number) cannot be undone: a trigger changes what is written to "
                            + "\(table.name)")
                }
            }
        }
    }
}

extension Inversion {
    private static func test(_ key: [SQLValue], _ table: TableHistory) -> SQLText {
        var sql = SQLText(" WHERE ")
        sql.append(pairs(table.key, key), separator: " AND ")
        return sql
    }

    /// Each column, a sign of equality, and its value.
    private static func pairs(_ names: [String], _ values: [SQLValue]) -> [SQLText] {
        zip(names, values).map { name, value in
            var pair = SQLText("")
            pair.append(name: name)
            pair.append(" = ")
            pair.bind(value)
            return pair
        }
    }

    private static func deletion(of key: [SQLValue], _ table: TableHistory) -> SQLText {
        var sql = SQLText("DELETE FROM ")
        sql.append(changing: table.name)
        sql.append(test(key, table))
        return sql
    }

    private static func update(
        of key: [SQLValue], _ names: [String], _ old: [SQLValue], _ table: TableHistory
    ) -> SQLText {
        var sql = SQLText("UPDATE ")
        sql.append(changing: table.name)
        sql.append(" SET ")
        sql.append(pairs(names, old), separator: ", ")
        sql.append(test(key, table))
        return sql
    }

    private static func insertion(of old: [SQLValue], _ names: [String], _ table: TableHistory) -> SQLText {
        var sql = SQLText("INSERT INTO ")
        sql.append(changing: table.name)
        sql.append(" (")
        sql.append(names: names)
        sql.append(") VALUES (")
        sql.bind(list: old)
        sql.append(")")
        return sql
    }
}
