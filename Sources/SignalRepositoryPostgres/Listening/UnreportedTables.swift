import RepositoryCore

/// The tables that a store reads, and whose changes the server does not report: tables under views that are not
/// entities, tables that others have created again or unpublished, and tables that others inherit from.
///
/// They are polled at the repository's interval: when anything was committed, their queries are re-read.
struct UnreportedTables {
    /// All tables that the store reads; one of another schema is qualified with it.
    var read: Set<String> = []
    /// The tables that can be locked by their names.
    var lockable: Set<String> { read.filter { !$0.contains(".") } }
    private var unreported: Set<String> = []
    /// The end of the server's log at the last poll.
    private var position: Int64?

    init() {}

    /// Takes a new state; returns the tables that may have changed since the last one.
    mutating func take(_ state: State) -> Set<String> {
        defer { (unreported, position) = (state.unreported, state.position) }
        // A table that was reported until now may have changed since.
        return state.position == position
            ? state.unreported.symmetricDifference(unreported) : state.unreported.union(unreported)
    }

    struct State {
        let unreported: Set<String>
        let position: Int64
    }
}

extension PostgresConnection {
    /// Returns those of some tables whose changes the server does not report, and the end of its log.
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

    /// A query that finds a table of which the server reports every change.
    private static func reported(by source: LiveSource) -> String {
        switch source {
        case .notifications: return SchemaShape.trigger + " AND g.tgenabled IN ('O', 'A')"
        // Row filters exist since PostgreSQL 15.
        case .replication:
            return SchemaShape.publication
                + " AND p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate "
                + "AND to_jsonb(r) ->> 'prqual' IS NULL"
        }
    }
}
