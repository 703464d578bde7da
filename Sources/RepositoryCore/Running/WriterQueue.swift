import Signals
import Synchronization

/// The serial queue that an engine's writer works on.
final class WriterQueue: Sendable {
    let queue: Executor
    /// The current writer; a new one replaces it after a suspension.
    private let current: Lock<any StoreWriter>
    private let log: CommitLog
    private let isPollDue = Atomic(false)

    init(_ writer: any StoreWriter, queue: Executor, log: CommitLog) {
        (current, self.queue, self.log) = (Lock(writer), queue, log)
    }

    private var writer: any StoreWriter { current.withLock { $0 } }

    /// Replaces the writer after a suspension.
    func replace(by writer: any StoreWriter) { current.withLock { $0 = writer } }

    /// The session that transactions work on; used only on the queue.
    var session: Session {
        queue.confinement.assertHeld()
        return writer.session
    }

    /// Performs a transaction; must be called on the queue.
    func perform(
        _ transaction: WriteTransaction, _ body: (WriteTransaction) throws -> Void
    ) -> Result<Void, RepositoryError> {
        queue.confinement.assertHeld()
        let result = writer.perform(transaction, log: log, body)
        if case .success = result, writer.isMaintenanceDue { queue.async { self.writer.runMaintenance() } }
        return result
    }

    /// Runs work on the connection between two transactions; must be called on the queue.
    ///
    /// A check for external commits follows. If the work has rewritten the store, the check causes all live queries to
    /// be re-read.
    func maintain(
        _ cancellation: CancellationFlag, _ body: (Session) throws -> Void
    ) -> Result<Void, RepositoryError> {
        queue.confinement.assertHeld()
        defer {
            writer.poll(log)
            if writer.isMaintenanceDue { queue.async { self.writer.runMaintenance() } }
        }
        do {
            return .success(try session.connection.withCancellation(cancellation) { try body(session) })
        } catch {
            return .failure(cancellation.reason ?? .thrown(error))
        }
    }

    /// Schedules a check for external commits, between two transactions.
    ///
    /// However often this method is called, at most one check waits for a long transaction to end.
    func schedulePoll() {
        if isPollDue.exchange(true, ordering: .acquiringAndReleasing) { return }
        queue.async {
            self.isPollDue.store(false, ordering: .releasing)
            self.writer.poll(self.log)
        }
    }

    /// Records all earlier commits in the commit log and then runs `action`, between two transactions.
    func catchUp(then action: @escaping @Sendable () -> Void) {
        queue.async {
            self.writer.catchUp()
            action()
        }
    }

    /// Announces that the repository will soon close the store; may be called on any thread.
    func announceClose() { writer.announceClose() }

    /// Closes the writer; must be called on the queue.
    func close() {
        queue.confinement.assertHeld()
        writer.close()
    }
}
