import RepositoryCore

// The methods that the writer calls.
extension PostgresStream {
    var reportsAuthors: Bool { true }

    func begins(on connection: PostgresConnection) {}

    // An active stream reports the commit, so this method records only the changed tables that are not in the stream.
    // Without an active stream, it records the whole commit, in a turn of the commit log (see `Turn`).
    func record(
        _ author: String?, captureVersion: Int, in log: CommitLog,
        _ commit: () throws(RepositoryError) -> DirtyTables
    ) throws(RepositoryError) {
        let (isActive, epoch) = state.withLock { ($0.isActive, $0.epoch) }
        guard isActive else {
            try log.commit(.unknown, author: author, captureVersion: captureVersion) {
                () throws(RepositoryError) in
                let tables = try commit()
                // Without the stream, changes by triggers and cascades are unknown, so every table counts as changed.
                return self.isActive ? unreportedPart(of: tables) : tables.isEmpty ? .none : .all
            }
            return
        }
        let tables = try commit()
        let isSame = state.withLock { $0.isActive && $0.epoch == epoch }
        let unreported = isSame || tables.isEmpty ? unreportedPart(of: tables) : .all
        if !unreported.isEmpty { log.recordExternalCommit(unreported) }
    }

    private func unreportedPart(of tables: DirtyTables) -> DirtyTables {
        guard case .some(let names) = tables else { return .all }
        return .some(names.subtracting(state.withLock { $0.tableNames }))
    }

    func committed(on connection: PostgresConnection, _ tables: DirtyTables, in log: CommitLog) {}

    func poll(_ connection: PostgresConnection, _ log: CommitLog) { _ = poll() }

    var epoch: Int? { control.epoch }

    func outcome(of number: Int64, epoch: Int) -> TransactionOutcome? { control.outcome(of: number, epoch: epoch) }
}
