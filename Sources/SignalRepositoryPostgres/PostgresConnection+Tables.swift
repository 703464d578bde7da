import CPostgres
import SignalRepository

extension PostgresConnection {
    /// Returns every row of a statement of the library's own, as plain values.
    func rows(_ sql: String, _ values: [SQLValue] = []) throws(RepositoryError) -> [[SQLValue]] {
        var text: SQLText = "\(quoted: sql)"
        text.append(values: values)
        return try statement(text).all { row throws(RepositoryError) in try row.values() }
    }

    /// Texts as one value, of which the statement says that it is an array of them.
    func array(_ texts: [String]) -> SQLValue {
        .blob(BinaryArray(texts.map { .text($0) }, of: StoredColumn("text", of: nil))?.bytes ?? [])
    }

    func hasFunction(_ signature: String) throws(RepositoryError) -> Bool {
        let sql: SQLText = "SELECT 1 WHERE to_regprocedure(\(bind: .text(signature))) IS NOT NULL"
        return try statement(sql).first { _ in true } ?? false
    }

    /// How far a standby has come in what it is sent; `nil` for a server that is none.
    func replayedPosition() throws(RepositoryError) -> String? {
        let rows = try rows("SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END")
        if case .text(let position)? = rows.first?.first { return position }
        return nil
    }

    /// The number by which the server knows the connection; 0 while there is none.
    var number: Int32 { isOpen ? PQbackendPID(handle) : 0 }

    var isListening: Bool { listeningGeneration == generation }

    /// Has the server notify it of commits, or no longer; whoever reads after that is notified of all it does not see.
    func setListening(_ isListening: Bool) throws(RepositoryError) {
        guard isListening != self.isListening else { return }
        try run("\(isListening ? "LISTEN" : "UNLISTEN") \(PostgresTables.channel)")
        listeningGeneration = isListening ? generation : 0
    }

    /// The tables of which was heard that they have changed since this was last asked, by some connections.
    func notifiedTables(by isConcerned: (_ number: Int32) -> Bool) -> Set<String> {
        confinement.during { takeNotifications(by: isConcerned) }
    }

    private func takeNotifications(by isConcerned: (_ number: Int32) -> Bool) -> Set<String> {
        guard let handle else { return [] }
        // What came before the end counts.
        _ = PQconsumeInput(handle)
        var tables: Set<String> = []
        while let notification = PQnotifies(handle) {
            let table = String(cString: notification.pointee.extra)
            if isConcerned(notification.pointee.be_pid), table.hasPrefix(schema + ".") {
                tables.insert(String(table.dropFirst(schema.count + 1)))
            }
            PQfreemem(notification)
        }
        return tables
    }
}
