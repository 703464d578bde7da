import CPostgres
import RepositoryCore

extension PostgresConnection {
    /// Returns all rows of an internal statement as plain values.
    func rows(_ sql: String, _ values: [SQLValue] = []) throws(RepositoryError) -> [[SQLValue]] {
        var text: SQLText = "\(quoted: sql)"
        text.append(values: values)
        return try statement(text).all { row throws(RepositoryError) in try row.values() }
    }

    /// Returns a single value that holds an array of texts; the statement must cast it to `text[]`.
    func array(_ texts: [String]) -> SQLValue {
        .blob(BinaryArray(texts.map { .text($0) }, of: StoredColumn("text", of: nil))?.bytes ?? [])
    }

    func hasFunction(_ signature: String) throws(RepositoryError) -> Bool {
        let sql: SQLText = "SELECT 1 WHERE to_regprocedure(\(bind: .text(signature))) IS NOT NULL"
        return try statement(sql).first { _ in true } ?? false
    }

    /// Returns the position in the write-ahead log that a standby has replayed; `nil` if the server is not a standby.
    func replayedPosition() throws(RepositoryError) -> String? {
        let rows = try rows("SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END")
        if case .text(let position)? = rows.first?.first { return position }
        return nil
    }

    /// The ID of the server process that serves the connection; 0 if the connection is not open.
    var number: Int32 { isOpen ? PQbackendPID(handle) : 0 }

    var isListening: Bool { listeningGeneration == generation }

    /// Starts or stops notifications of commits.
    ///
    /// After LISTEN, every new snapshot either shows a commit, or a notification of that commit follows.
    func setListening(_ isListening: Bool) throws(RepositoryError) {
        guard isListening != self.isListening else { return }
        try run("\(isListening ? "LISTEN" : "UNLISTEN") \(PostgresTables.channel)")
        listeningGeneration = isListening ? generation : 0
    }

    /// Returns the tables reported as changed since the last call, by connections for which `isConcerned` is true.
    func notifiedTables(by isConcerned: (_ number: Int32) -> Bool) -> Set<String> {
        confinement.during { takeNotifications(by: isConcerned) }
    }

    private func takeNotifications(by isConcerned: (_ number: Int32) -> Bool) -> Set<String> {
        guard let handle else { return [] }
        // Notifications that arrived before the connection ended are still valid.
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
