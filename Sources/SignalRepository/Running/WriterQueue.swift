import Signals
import Synchronization

/// The serial queue that an engine's writer works on.
final class WriterQueue: Sendable {
    let queue: Executor
    /// Exchanged when the repository was suspended.
    private let current: Lock<any StoreWriter>
    private let log: CommitLog
    private let isLookDue = Atomic(false)

    init(_ writer: any StoreWriter, queue: Executor, log: CommitLog) {
        (current, self.queue, self.log) = (Lock(writer), queue, log)
    }

    private var writer: any StoreWriter { current.withLock { $0 } }

    /// Goes on with another writer, after the last one was closed.
    func replace(by writer: any StoreWriter) { current.withLock { $0 = writer } }

    /// What transactions work on; used on the queue alone.
    var session: Session {
        queue.confinement.assertHeld()
        return writer.session
    }

    /// Called on the queue.
    func perform(
        _ transaction: WriteTransaction, _ body: (WriteTransaction) throws -> Void
    ) -> Result<Void, RepositoryError> {
        queue.confinement.assertHeld()
        let result = writer.perform(transaction, log: log, body)
        if case .success = result, writer.isUpkeepDue { queue.async { self.writer.keepUp() } }
        return result
    }

    /// Does work on the connection between two transactions.
    ///
    /// Called on the queue. Which rows it has changed is not known: what is live is read again.
    func maintain(
        _ cancellation: CancellationFlag, _ body: (Session) throws -> Void
    ) -> Result<Void, RepositoryError> {
        queue.confinement.assertHeld()
        defer {
            writer.look(log)
            if writer.isUpkeepDue { queue.async { self.writer.keepUp() } }
        }
        do {
            return .success(try session.connection.withCancellation(cancellation) { try body(session) })
        } catch {
            return .failure(cancellation.reason ?? .thrown(error))
        }
    }

    /// Has it checked whether another connection has committed, between two transactions.
    ///
    /// Behind a long transaction one look waits, however often it is asked for.
    func scheduleLook() {
        if isLookDue.exchange(true, ordering: .acquiringAndReleasing) { return }
        queue.async {
            self.isLookDue.store(false, ordering: .releasing)
            self.writer.look(self.log)
        }
    }

    /// Has the log hear of what was committed before, and then does something, between two transactions.
    func catchUp(then action: @escaping @Sendable () -> Void) {
        queue.async {
            self.writer.catchUp()
            action()
        }
    }

    /// Announces that the store will be released soon; called on any thread.
    func announceClose() { writer.announceClose() }

    /// Called on the queue.
    func close() {
        queue.confinement.assertHeld()
        writer.close()
    }
}
