import SignalRepository

/// Raw statements, spelled for each engine.
struct SpelledStatements: Sendable {
    let sqlite: [SQL]
    let postgres: [SQL]

    /// The statements for a store's engine.
    func of(_ kind: StoreKind) -> [SQL] { kind == .postgres ? postgres : sqlite }

    /// Runs the statements for a store's engine.
    func run(_ kind: StoreKind, _ store: WriteTransaction) throws(RepositoryError) {
        for sql in of(kind) { try store.execute(sql) }
    }
}
