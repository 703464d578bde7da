extension StoreCheck {
    /// Checks the whole store, in the state that the connection's transaction reads.
    init(of connection: Connection) throws(RepositoryError) {
        do {
            for row in try connection.rows("PRAGMA main.integrity_check") {
                if case .text(let sentence)? = row.first, sentence != "ok" { damage.append(sentence) }
            }
        } catch .corrupt(let diagnosis) {
            // The file is too damaged for the other checks.
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
