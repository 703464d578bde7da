import Foundation
import Signals
import Synchronization

/// The one connection that writes, and the serial queue that it works on.
final class WriterQueue: @unchecked Sendable {
    let queue: WorkQueue
    private let log: CommitLog
    private let checkpoints: Checkpoints?
    private let ownership: FileOwnership?
    private let isLookDue = Atomic(false)

    // Safe because only `queue` touches the following.
    let session: Session
    private let capture: ChangeCapture
    /// The version of the store that this connection last left or saw.
    private var version: UInt32

    init(
        _ connection: Connection, queue: WorkQueue, log: CommitLog, checkpointBound: Int?,
        now: @escaping @Sendable () -> Date
    ) {
        session = Session(connection, now: now)
        capture = ChangeCapture(session)
        version = connection.version
        self.queue = queue
        self.log = log
        ownership = connection.ownership
        checkpoints = checkpointBound.map { Checkpoints(connection, bound: $0) }
    }

    /// Runs one transaction from beginning to end.
    ///
    /// Called on the queue. `keep` takes what the body comes to.
    func perform<Output>(
        _ transaction: WriteTransaction, keep: (Result<Output, any Error>) -> Void,
        _ body: (WriteTransaction) throws -> Output
    ) -> Result<Output, RepositoryError> {
        let connection = session.connection
        let (interest, captureVersion) = log.capture
        // Before the lock is held, a new version means a change by somebody else, and must not be taken for our own.
        var hasLock = false
        defer { if hasLock { version = connection.version } }
        do {
            capture.capture(interest)
            let output = try connection.withCancellation(transaction.cancellation) { () throws(RepositoryError) in
                try connection.beginWrite()
                hasLock = true
                noticeCommitsElsewhere()
                try connection.checkFiles()
                capture.begin()
                let output = try transaction.conclude(outcome(of: body, with: transaction, keep: keep)).get()
                // Once more: the body may take long, or remove them itself.
                if !transaction.changed.isEmpty { try connection.checkFiles() }
                return output
            }
            let (tables, rows) = (transaction.changed, capture.settle())
            try log.commit(tables, rows, author: transaction.author, captureVersion: captureVersion) {
                () throws(RepositoryError) in try connection.commit()
            }
            transaction.committed()
            scheduleCheckpoint()
            return .success(output)
        } catch {
            try? connection.rollback()
            capture.discard()
            if case .commitOutcomeUnknown = error { log.commitElsewhere() }
            if case .fileMoved = error { connection.saveLog() }
            return .failure(transaction.cancellation.reason ?? error)
        }
    }

    /// Has it checked whether another connection has committed, between two transactions.
    ///
    /// Behind a long transaction one look waits, however often it is asked for.
    func scheduleLook() {
        if isLookDue.exchange(true, ordering: .acquiringAndReleasing) { return }
        queue.async {
            self.isLookDue.store(false, ordering: .releasing)
            self.look()
        }
    }

    private func look() {
        guard (try? session.connection.dataVersion()) != nil else { return }
        noticeCommitsElsewhere()
    }

    /// Determines whether another connection has committed, given that this one has just read.
    ///
    /// At the beginning of a transaction the answer is exact, because from then on nobody else can commit.
    private func noticeCommitsElsewhere() {
        let now = session.connection.version
        guard now != version else { return }
        version = now
        log.commitElsewhere()
    }

    /// Announces that the file will be released soon; called on any thread.
    func announceClose() {
        ownership?.announceRelease()
    }

    /// Closes the connection, which checkpoints.
    ///
    /// Called on the queue.
    func close() {
        capture.stop()
        session.close()
    }

    private func scheduleCheckpoint() {
        guard let checkpoints, checkpoints.isDue else { return }
        queue.async { self.checkpoints?.run() }
    }
}
