import SignalRepository

/// Statements of the program's own, in the words of each engine.
struct SpelledStatements: Sendable {
    let sqlite: [SQL]
    let postgres: [SQL]

    /// The statements of the engine of a store.
    func of(_ kind: StoreKind) -> [SQL] { kind == .postgres ? postgres : sqlite }

    /// Runs them as the engine of a store has them.
    func run(_ kind: StoreKind, _ store: WriteTransaction) throws(RepositoryError) {
        for sql in of(kind) { try store.execute(sql) }
    }
}
