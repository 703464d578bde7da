import RepositoryCore
import Signals

// Polls for changes that the stream does not report. All methods of this extension run on `queue`.
extension PostgresStream {
    /// Reads the published tables from the catalog, and reports changed definitions to the commit log, so that the
    /// queries of these tables are re-read.
    func refreshTables() {
        guard let log = state.withLock({ $0.isActive ? $0.log : nil }),
            let tables = try? control.perform({ control throws(RepositoryError) in
                try control.streamedTables(of: publication)
            })
        else { return }
        let changed = state.withLock { $0.isActive ? $0.keep(tables) : [] }
        if !changed.isEmpty { log.recordExternalCommit(.some(changed)) }
    }

    /// If the write-ahead log has grown since the last poll, reports all tables outside the stream as changed.
    private func pollUnreported() {
        let (log, read) = state.withLock { ($0.log, $0.unreported.read) }
        guard let log,
            let now = try? control.perform({ control throws(RepositoryError) in
                try control.unreported(of: read, by: .replication)
            })
        else { return }
        let changed = state.withLock { $0.unreported.take(now) }
        if !changed.isEmpty { log.recordExternalCommit(.some(changed)) }
    }

    func pollNow() {
        queue.confinement.assertHeld()
        let (log, isActive) = state.withLock { state in
            state.isPollDue = false
            return (state.log, state.isActive)
        }
        if isActive {
            refreshTables()
            return pollUnreported()
        }
        guard let log,
            let reading = try? control.perform({ control throws(RepositoryError) in try control.readSnapshot() })
        else { return }
        let isChanged = state.withLock { state in
            defer { state.lastInserted = reading.inserted }
            return !state.isActive && state.lastInserted != reading.inserted
        }
        if isChanged { log.recordExternalCommit() }
    }
}
