import SignalRepository

/// What names mean on a connection, and with whose rights it works.
///
/// The settings of a role or a database may change while a store is open, and each new connection would have others:
/// the first one's are said again on all that follow.
struct ServerSession: Sendable {
    /// The schema that tables are made in; empty where there is none.
    let schema: String
    private let path: String
    private let role: String

    /// Reads what a new connection has.
    init(of connection: PostgresConnection) throws(RepositoryError) {
        // Temporary tables are looked for first, unless the path names their schema.
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

    /// What is said at the beginning of each connection, and after a statement that may have said something else.
    var settings: String {
        """
        SET SESSION AUTHORIZATION DEFAULT; SET search_path TO \(path); SET ROLE \(role); \
        SET client_encoding TO 'UTF8'; \
        SET standard_conforming_strings TO on; SET default_transaction_isolation TO 'read committed'
        """
    }
}
