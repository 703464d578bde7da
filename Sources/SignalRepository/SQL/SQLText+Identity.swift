/// The statements about a store's identity: a name created once, with which the URLs of its items begin.
extension SQLText {
    /// Checks whether the store has been given an identity.
    static let hasIdentity = SQLText("SELECT 1 FROM sqlite_schema WHERE name = 'signal_repository_identity'")

    /// Reads the identity.
    static let identity = SQLText("SELECT identity FROM signal_repository_identity")

    /// Creates the table for the identity.
    static let createIdentity = SQLText("CREATE TABLE signal_repository_identity (identity TEXT NOT NULL) STRICT")

    /// Gives the store an identity.
    static func giveIdentity(_ identity: String) -> SQLText {
        var sql = SQLText("INSERT INTO signal_repository_identity (identity) VALUES (")
        sql.bind(.text(identity))
        sql.append(")")
        return sql
    }
}
