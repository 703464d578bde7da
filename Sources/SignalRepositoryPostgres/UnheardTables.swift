import SignalRepository

/// The tables that a store reads and of which it is not told: those of views that are no entities, those that others
/// have made again or taken out of the publication, and those whose rows are partly other tables'.
///
/// They are looked at, at the repository's interval: whoever reads them reads again when anything was committed.
struct UnheardTables {
    /// All that the store reads; one of another schema has that before its name, and a dot.
    var read: Set<String> = []
    /// Those that can be locked by their names.
    var lockable: Set<String> { read.filter { !$0.contains(".") } }
    private var unheard: Set<String> = []
    /// How far the server's log reached.
    private var position: Int64?

    init() {}

    /// Takes in how it is now; returns the tables that may have changed since it was last asked.
    mutating func take(_ state: State) -> Set<String> {
        defer { (unheard, position) = (state.unheard, state.position) }
        // One that was heard until now may have changed since.
        return state.position == position
            ? state.unheard.symmetricDifference(unheard) : state.unheard.union(unheard)
    }

    struct State {
        let unheard: Set<String>
        let position: Int64
    }
}

extension PostgresConnection {
    /// Says which of some tables the server does not tell of, and how far its log reaches.
    func unheard(of tables: Set<String>, by source: LiveSource) throws(RepositoryError) -> UnheardTables.State {
        let rows = try rows(
            """
            SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint, t.name FROM (SELECT 1) AS always \
            LEFT JOIN unnest(?::text[]) AS t(name) ON NOT EXISTS (SELECT 1 FROM pg_class c \
            WHERE c.relname = t.name AND c.relnamespace = \(SchemaShape.namespace) AND c.relkind IN ('r', 'p') \
            AND EXISTS (\(Self.told(by: source))) \
            AND NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhparent = c.oid))
            """, [array(tables.sorted() + ["-"])] + (source == .replication ? [.text(publication)] : []))
        guard case .integer(let position)? = rows.first?[0] else { throw lost(nil) }
        let names = rows.compactMap { row in if case .text(let name) = row[1], name != "-" { name } else { nil } }
        return UnheardTables.State(unheard: Set(names), position: position)
    }

    /// What is there of a table of which the server tells everything.
    private static func told(by source: LiveSource) -> String {
        switch source {
        case .notifications: return SchemaShape.trigger + " AND g.tgenabled IN ('O', 'A')"
        // A filter of rows is there since PostgreSQL 15.
        case .replication:
            return SchemaShape.publication
                + " AND p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate "
                + "AND to_jsonb(r) ->> 'prqual' IS NULL"
        }
    }
}
