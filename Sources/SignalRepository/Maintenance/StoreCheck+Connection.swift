extension StoreCheck {
    /// Checks everything that a connection reads in its transaction.
    init(of connection: Connection) throws(RepositoryError) {
        do {
            for row in try connection.rows("PRAGMA main.integrity_check") {
                if case .text(let sentence)? = row.first, sentence != "ok" { damage.append(sentence) }
            }
        } catch .corrupt(let diagnosis) {
            // Too much is damaged to check the rest.
            damage.append(diagnosis.message)
            return
        }
        damage += try HistoryTable(connection).faults()
        brokenReferences = try connection.brokenReferences()
        for table in try SearchShape.tables(in: connection) {
            if try SearchShape.isStale(of: table, in: connection) { staleSearchIndexes.append(table) }
        }
    }
}
