// Undoes a commit with the old values in the store's history.
extension WriteTransaction {
    /// Undoes the author's last commit that is in effect, or the author's last undo if `isRedo` is true.
    ///
    /// Returns the entry of the commit that was undone, or `nil` if there is nothing to undo.
    func undo(isRedo: Bool, on connection: Connection) throws(RepositoryError) -> HistoryEntry? {
        try checkHistory()
        guard let keeper = connection.history else { throw .misuse(detail: "the store keeps no history") }
        guard let (commit, entry) = try candidate(isRedo: isRedo) else { return nil }
        if case .unknown(let reason) = entry.extent {
            throw .misuse(detail: "commit \(commit.number) cannot be undone: its changes are unknown (\(reason))")
        }
        try checkConflicts(commit, entry)
        keeper.undoes = commit
        try HistoryInversion(of: entry, in: self, connection).run(keeper)
        return entry
    }

    private func candidate(isRedo: Bool) throws(RepositoryError) -> (UndoneCommit, HistoryEntry)? {
        var sql: SQLText = """
            SELECT h.number, h.mark, h.time, h.author, h.rows, h.depth FROM signal_repository_history h \
            WHERE h.author IS \(bind: author.map { .text($0) } ?? .null) AND h.depth % 2 = \(isRedo ? "1" : "0") \
            AND NOT EXISTS (SELECT 1 FROM signal_repository_history u WHERE u.undoes = h.number)
            """
        if isRedo {
            // A commit of depth 0 is not an undo. After such a commit by the author, earlier undos cannot be redone.
            sql += """
                 AND NOT EXISTS (SELECT 1 FROM signal_repository_history n \
                WHERE n.number > h.number AND n.depth = 0 AND n.author IS h.author)
                """
        }
        sql += " ORDER BY h.number DESC LIMIT 1"
        guard let row = try historyRows(sql).first, case .integer(let depth)? = row.last else { return nil }
        let entry = try HistoryEntry(Array(row.dropLast()))
        // Each undo is a separate, later commit, so a commit's depth is less than its number.
        guard (0..<Int64(entry.token.number)).contains(depth) else {
            throw HistoryTable.damage("commit \(entry.token.number) cannot have been undone \(depth) times")
        }
        return (UndoneCommit(number: entry.token.number, depth: Int(depth)), entry)
    }

    /// Throws if a later commit that is still in effect changed one of the commit's rows.
    private func checkConflicts(_ commit: UndoneCommit, _ entry: HistoryEntry) throws(RepositoryError) {
        // A chain is a later commit, its undo, the undo of that undo, and so on. Each undo cancels the commit before
        // it, so a chain of even length has no effect. The query finds the last commit of each chain of odd length.
        var sql: SQLText = """
            WITH RECURSIVE chain(last, number, target, count) AS (
                SELECT h.number, h.number, h.undoes, 1 FROM signal_repository_history h WHERE h.number > ?1
                    AND NOT EXISTS (SELECT 1 FROM signal_repository_history u WHERE u.undoes = h.number)
                UNION ALL
                SELECT c.last, h.number, h.undoes, c.count + 1 FROM chain c
                    JOIN signal_repository_history h ON h.number = c.target
                    WHERE c.target > ?1 AND c.target < c.number)
            SELECT number, mark, time, author, rows FROM signal_repository_history
            WHERE number IN (SELECT last FROM chain GROUP BY last HAVING max(count) % 2 = 1) ORDER BY number
            """
        sql.append(values: [.integer(Int64(commit.number))])
        let mine = entry.content.map { table in (name: table.name, keys: Set(table.keys)) }
        for row in try historyRows(sql) {
            let later = try HistoryEntry(row)
            if case .unknown(let reason) = later.extent {
                throw .misuse(
                    detail: "commit \(commit.number) cannot be undone: the changes of commit \(later.token.number) are "
                        + "unknown (\(reason))")
            }
            for (name, keys) in mine {
                guard let table = later.content.first(where: { $0.name == name }) else { continue }
                let common = table.keys.filter(keys.contains)
                guard common.isEmpty else {
                    throw .conflict(
                        items: common.map {
                            FailedItem(entity: name, id: $0.map(\.displayText).joined(separator: ", "))
                        })
                }
            }
        }
    }
}
