import Dispatch
import Signals

/// The one connection that writes, and the serial queue that it works on.
final class WriterQueue: @unchecked Sendable {
    let queue: DispatchQueue
    private let gate: CommitGate
    private let checkpoints: Checkpoints?

    // Safe because only `queue` touches what follows.
    let session: Session
    /// Tells who listens of the rows that change.
    let changes: ChangeFeed
    /// The version of the store that this connection left or saw last.
    private var version: UInt32

    init(_ connection: Connection, queue: DispatchQueue, gate: CommitGate, checkpointBound: Int?) {
        session = Session(connection)
        changes = ChangeFeed(session)
        version = connection.version
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
        defer { version = connection.version }
        do {
            let output = try connection.withCancellation(transaction.cancellation) { () throws(RepositoryError) in
                try connection.beginWrite()
                noticeCommitsElsewhere(live)
                changes.begin()
                return try transaction.conclude(outcome(of: body, with: transaction)).get()
            }
            changes.settle()
            let number = try gate.commit(transaction.changed) { () throws(RepositoryError) in try connection.commit() }
            changes.committed(number, transaction)
            if !transaction.changed.isEmpty { live.committed() }
            scheduleCheckpoint()
            return .success(output)
        } catch {
            try? connection.rollback()
            changes.discard()
            if case .commitOutcomeUnknown = error { countCommitElsewhere(live) }
            return .failure(transaction.cancellation.isCancelled ? .cancelled : error)
        }
    }

    /// Looks whether another connection has committed; for the time between transactions.
    func look(_ live: LiveEngine) {
        guard (try? session.connection.dataVersion()) != nil else { return }
        noticeCommitsElsewhere(live)
    }

    /// Finds out whether another connection has committed, given that this one has just read.
    ///
    /// At the beginning of a transaction the answer is exact, because from then on nobody else can commit.
    private func noticeCommitsElsewhere(_ live: LiveEngine) {
        let now = session.connection.version
        guard now != version else { return }
        version = now
        countCommitElsewhere(live)
    }

    private func countCommitElsewhere(_ live: LiveEngine) {
        changes.committedElsewhere(gate.commitElsewhere())
        live.committed()
    }

    /// Closes the connection, which moves the log into the file.
    ///
    /// Called on the queue.
    func close() {
        changes.stop()
        session.connection.close()
    }

    private func scheduleCheckpoint() {
        guard let checkpoints, checkpoints.isDue else { return }
        queue.async { self.checkpoints?.run() }
    }
}
