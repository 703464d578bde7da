import RepositoryCore

/// The search path and the role of a connection.
///
/// The settings of a role or a database may change while a store is open. So the library applies the settings of the
/// first connection to all later ones.
struct ServerSession: Sendable {
    /// The schema in which tables are created; empty if there is none.
    let schema: String
    private let path: String
    private let role: String

    /// Reads the search path and the role of a new connection.
    init(of connection: PostgresConnection) throws(RepositoryError) {
        // PostgreSQL searches temporary tables first, unless the search path names their schema, `pg_temp`. So `path`
        // names it last.
        let row = try connection.rows(
            """
            SELECT (current_schemas(false))[1], \
            (SELECT string_agg(quote_ident(n.name), ', ' ORDER BY n.place) \
            FROM unnest(current_schemas(false)) WITH ORDINALITY AS n(name, place) \
            WHERE NOT starts_with(n.name, 'pg_temp')), \
            CASE WHEN current_user = session_user THEN 'NONE' ELSE quote_ident(current_user) END
            """
        ).first
        func text(_ index: Int) -> String? { if case .text(let text)? = row?[index] { text } else { nil } }
        schema = text(0) ?? ""
        path = (text(1).map { $0 + ", " } ?? "") + "pg_temp"
        role = text(2) ?? "NONE"
    }

    /// The SQL that sets up each connection; it also runs after a statement that may have changed the settings.
    var settings: String {
        """
        SET SESSION AUTHORIZATION DEFAULT; SET search_path TO \(path); SET ROLE \(role); \
        SET client_encoding TO 'UTF8'; \
        SET standard_conforming_strings TO on; SET default_transaction_isolation TO 'read committed'
        """
    }
}
