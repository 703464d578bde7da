import Dispatch
import Signals

/// The one connection that writes, and the serial queue that it works on.
final class WriterQueue: @unchecked Sendable {
    let queue: DispatchQueue
    private let gate: CommitGate
    private let checkpoints: Checkpoints?

    // Safe because only `queue` touches what follows.
    let session: Session
    /// What the version of the store was when this connection last looked; nil when nobody needs to know.
    private var version: Int64?

    init(_ connection: Connection, queue: DispatchQueue, gate: CommitGate, checkpointBound: Int?) {
        session = Session(connection)
        self.queue = queue
        self.gate = gate
        checkpoints = checkpointBound.map { Checkpoints(connection, bound: $0) }
    }

    /// Runs one transaction from beginning to end.
    ///
    /// Called on the queue.
    func perform<Output>(
        _ transaction: WriteTransaction, live: LiveEngine, _ body: (WriteTransaction) throws -> Output
    ) -> Result<Output, RepositoryError> {
        let connection = session.connection
        do {
            let output = try connection.withCancellation(transaction.cancellation) { () throws(RepositoryError) in
                try connection.beginWrite()
                noticeCommitsElsewhere(live)
                return try transaction.conclude(outcome(of: body, with: transaction)).get()
            }
            try gate.commit(transaction.changed) { () throws(RepositoryError) in try connection.commit() }
            if !transaction.changed.isEmpty { live.committed() }
            scheduleCheckpoint()
            return .success(output)
        } catch {
            try? connection.rollback()
            return .failure(transaction.cancellation.isCancelled ? .cancelled : error)
        }
    }

    /// Finds out whether another connection has committed.
    ///
    /// Exact inside a transaction, because then nobody else can.
    func noticeCommitsElsewhere(_ live: LiveEngine) {
        guard checkpoints != nil else { return }
        guard live.isActive, let now = try? session.connection.dataVersion() else {
            version = nil
            return
        }
        if version == nil {
            live.compareVersions()
        } else if version != now {
            gate.commitElsewhere()
            live.committed()
        }
        version = now
    }

    /// Closes the connection, which moves the log into the file.
    ///
    /// Called on the queue.
    func close() {
        session.connection.close()
    }

    private func scheduleCheckpoint() {
        guard let checkpoints, checkpoints.isDue else { return }
        queue.async { self.checkpoints?.run() }
    }
}
