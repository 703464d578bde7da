import SignalRepository
import Signals

// What is asked of the server at an interval, on the admission's queue.
extension PostgresStream {
    /// Reads how the tables are now; what reads one that was made again, or altered, is read anew.
    func refreshTables() {
        guard let log = state.withLock({ $0.isActive ? $0.log : nil }),
            let tables = try? control.ask({ control throws(RepositoryError) in
                try control.streamedTables(of: publication)
            })
        else { return }
        let changed = state.withLock { $0.isActive ? $0.keep(tables) : [] }
        if !changed.isEmpty { log.commitElsewhere(.some(changed)) }
    }

    /// Has tables read anew of which the stream does not tell, if anything was committed.
    private func lookAtUnheard() {
        let (log, read) = state.withLock { ($0.log, $0.unheard.read) }
        guard let log,
            let now = try? control.ask({ control throws(RepositoryError) in
                try control.unheard(of: read, by: .replication)
            })
        else { return }
        let changed = state.withLock { $0.unheard.take(now) }
        if !changed.isEmpty { log.commitElsewhere(.some(changed)) }
    }

    func lookNow() {
        queue.confinement.assertHeld()
        let (log, isActive) = state.withLock { state in
            state.isLookDue = false
            return (state.log, state.isActive)
        }
        if isActive {
            refreshTables()
            return lookAtUnheard()
        }
        guard let log,
            let reading = try? control.ask({ control throws(RepositoryError) in try control.readSnapshot() })
        else { return }
        let isChanged = state.withLock { state in
            defer { state.lastInserted = reading.inserted }
            return !state.isActive && state.lastInserted != reading.inserted
        }
        if isChanged { log.commitElsewhere() }
    }
}
