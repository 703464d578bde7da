import RepositoryCore

/// The tables that a store reads and whose changes the server does not report.
///
/// They are tables that a view or raw SQL reads but no entity declares, tables that other programs have recreated or
/// unpublished, and tables with child tables. At each `watchInterval`, the repository re-reads the queries of these
/// tables if anything was committed.
struct UnreportedTables {
    /// All tables that the store reads; the name of a table in another schema is qualified with the schema.
    var read: Set<String> = []
    /// The tables that can be locked by their unqualified names.
    var lockable: Set<String> { read.filter { !$0.contains(".") } }
    private var unreported: Set<String> = []
    /// The end of the server's write-ahead log at the last poll.
    private var position: Int64?

    init() {}

    /// Replaces the state; returns the tables that may have changed since the previous state.
    mutating func take(_ state: State) -> Set<String> {
        defer { (unreported, position) = (state.unreported, state.position) }
        // If only one of the two states lists a table as unreported, the table may have changed in between.
        return state.position == position
            ? state.unreported.symmetricDifference(unreported) : state.unreported.union(unreported)
    }

    struct State {
        let unreported: Set<String>
        let position: Int64
    }
}

extension PostgresConnection {
    /// Returns the given tables whose changes the server does not report, and the end of the write-ahead log.
    func unreported(of tables: Set<String>, by source: LiveSource) throws(RepositoryError) -> UnreportedTables.State {
        let rows = try rows(
            """
            SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint, t.name FROM (SELECT 1) AS always \
            LEFT JOIN unnest(?::text[]) AS t(name) ON NOT EXISTS (SELECT 1 FROM pg_class c \
            WHERE c.relname = t.name AND c.relnamespace = \(SchemaShape.namespace) AND c.relkind IN ('r', 'p') \
            AND EXISTS (\(Self.reported(by: source))) \
            AND NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhparent = c.oid))
            """, [array(tables.sorted() + ["-"])] + (source == .replication ? [.text(publication)] : []))
        guard case .integer(let position)? = rows.first?[0] else { throw lost(nil) }
        let names = rows.compactMap { row in if case .text(let name) = row[1], name != "-" { name } else { nil } }
        return UnreportedTables.State(unreported: Set(names), position: position)
    }

    /// Returns a subquery with a row if the server reports every change of the table `c`.
    private static func reported(by source: LiveSource) -> String {
        switch source {
        case .notifications: return SchemaShape.trigger + " AND g.tgenabled IN ('O', 'A')"
        // Row filters exist since PostgreSQL 15; older servers have no column `prqual`.
        case .replication:
            return SchemaShape.publication
                + " AND p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate "
                + "AND to_jsonb(r) ->> 'prqual' IS NULL"
        }
    }
}
