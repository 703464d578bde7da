import CPostgres
import RepositoryCore

// The requirements of logical replication, on the server and in a schema.
extension PostgresConnection {
    /// The name of the schema's publication, which must be unique in the database.
    var publication: String {
        let name = "signal_repository:\(schema)"
        guard name.utf8.count > PostgresTypes.mostNameBytes else { return name }
        // The server would truncate a longer name, so a fingerprint replaces the schema's name.
        return "signal_repository:\(String(schema.fingerprint, radix: 16))"
    }

    /// Throws if the server or the role cannot replicate.
    func checkReplication() throws(RepositoryError) {
        guard let handle, PQserverVersion(handle) >= 140_000 else {
            throw refusal("the server is older than PostgreSQL 14")
        }
        let rows = try rows(
            """
            SELECT current_setting('wal_level'), current_user, r.rolreplication OR r.rolsuper \
            OR EXISTS (SELECT 1 FROM pg_roles g WHERE g.rolname = 'rds_replication' \
            AND pg_has_role(current_user, g.oid, 'MEMBER')), \
            (SELECT count(*) FROM pg_replication_slots) < current_setting('max_replication_slots')::bigint, \
            current_setting('max_replication_slots'), \
            (SELECT count(*) FROM pg_stat_replication) < current_setting('max_wal_senders')::bigint, \
            current_setting('max_wal_senders'), pg_is_in_recovery() FROM pg_roles r WHERE r.rolname = current_user
            """)
        guard let row = rows.first, case .text(let level) = row[0], case .text(let role) = row[1],
            case .text(let slots) = row[4], case .text(let senders) = row[6]
        else { return }
        guard row[7] == .integer(0) else { throw refusal("the server is a standby") }
        guard level == "logical" else {
            throw refusal(
                "wal_level is \(level): run ALTER SYSTEM SET wal_level = 'logical', and restart the server")
        }
        guard row[2] == .integer(1) else {
            throw refusal(
                "the role \(role) may not replicate: run ALTER ROLE \(Identifier.quoted(role)) REPLICATION")
        }
        guard row[3] == .integer(1) else {
            throw refusal("all \(slots) replication slots are taken: raise max_replication_slots")
        }
        guard row[5] == .integer(1) else {
            throw refusal("all \(senders) WAL senders are taken: raise max_wal_senders")
        }
    }

    private func refusal(_ reason: String) -> RepositoryError {
        .cannotOpen(path: address, reason: "\(reason); or use liveSource: .notifications, which needs no replication")
    }

    /// Adds a table to the publication, and makes the server include the old row with every change.
    func publish(_ table: String) throws(RepositoryError) {
        let name = Identifier.quoted(table)
        try run("ALTER TABLE \(name) REPLICA IDENTITY FULL")
        let publication = Identifier.quoted(publication)
        let known = try rows(
            """
            SELECT EXISTS (SELECT 1 FROM pg_publication_rel r WHERE r.prpubid = p.oid AND r.prrelid = to_regclass(?)) \
            FROM pg_publication p WHERE p.pubname = ?
            """, [.text(name), .text(self.publication)])
        do throws(RepositoryError) {
            switch known.first {
            case nil: try run("CREATE PUBLICATION \(publication) FOR TABLE \(name)")
            case [.integer(0)]: try run("ALTER PUBLICATION \(publication) ADD TABLE \(name)")
            default: return
            }
        } catch {
            guard case .readOnly(let detail) = error else { throw error }
            throw .readOnly(
                detail: "a publication requires CREATE on the database, and only its owner can change it: run GRANT "
                    + "CREATE ON DATABASE, or use liveSource: .notifications (\(detail))")
        }
    }

    /// Removes the database objects that a live source has created in the schema.
    func remove(_ source: LiveSource) throws(RepositoryError) {
        try beginOpening()
        do throws(RepositoryError) {
            switch source {
            case .replication: try removePublication()
            case .notifications: try run("DROP FUNCTION IF EXISTS signal_repository_notify() CASCADE")
            }
            try commit()
        } catch {
            try? rollback()
            throw error
        }
    }

    private func removePublication() throws(RepositoryError) {
        let published = try rows(
            "SELECT c.relname FROM pg_class c WHERE c.relnamespace = \(SchemaShape.namespace) "
                + "AND EXISTS (\(SchemaShape.publication)) ORDER BY c.relname", [.text(publication)])
        for row in published {
            guard case .text(let table) = row[0] else { continue }
            try run("ALTER TABLE \(Identifier.quoted(table)) REPLICA IDENTITY DEFAULT")
        }
        try run("DROP PUBLICATION IF EXISTS \(Identifier.quoted(publication))")
    }
}

extension PostgresRepository {
    /// Removes the database objects that a live source has created in a store: the publication and the tables' full
    /// replica identity, or the triggers that notify.
    ///
    /// Items stay as they are. Call this only when no program uses the store with this source: such a program would
    /// receive no further changes. Opening the store with the source creates the objects again. Replication slots need
    /// no removal: the server drops a slot when the program's connection ends for any reason.
    ///
    /// ```
    /// try PostgresRepository.remove(.replication, from: "postgresql:///films")
    /// ```
    /// - Failure: `.cannotOpen` if the server does not answer or refuses the connection; `.readOnly` if the role does
    ///   not own the tables.
    public static func remove(_ source: LiveSource, from parameters: String) throws(RepositoryError) {
        let connection = try PostgresConnection(parameters)
        defer { connection.close() }
        try connection.remove(source)
    }
}
