import Signals
import Synchronization

/// Keeps every attached live query up to date: the one engine behind all live signals of a repository.
///
/// A commit is written down in the log (record). A pass on the live queue reads the log, finds the queries that the
/// commits concern (match), has each brought up to date by the rows that changed, or else in a snapshot that it opens
/// for all of them (maintain), and each gives its sink what is new (emit). A query that arrives is read for the first
/// time in such a snapshot, so nothing can change between its first value and its registration.
final class LiveEngine: LogReader, @unchecked Sendable {
    private struct Inbox {
        var arrivals: [any LiveArrival] = []
        var departures: [any LiveArrival] = []
        /// Nodes that could not be read, and are tried again.
        var retries: [(node: any LiveNode, reason: LiveWork.Reason)] = []
        var isPassScheduled = false
        /// Whether the next pass opens a snapshot even if there is no query.
        var isToLook = false
        var isClosed = false
    }

    private let queue: WorkQueue
    private let log: CommitLog
    private let openSession: @Sendable () throws(RepositoryError) -> Session
    private let ownsSession: Bool
    private let source: any CommitSource
    private let inbox = Lock(Inbox())
    private let counts = Lock(LiveStatistics())

    // Safe because only `queue` touches the following.
    private var isActive = false
    private var session: Session?
    private var index = LiveIndex()
    private var work = LiveWork()
    private var audience = LiveAudiences()

    /// Makes an engine that works on `queue`, with its own session or one that it shares.
    init(
        queue: WorkQueue, log: CommitLog, source: any CommitSource, ownsSession: Bool,
        openSession: @escaping @Sendable () throws(RepositoryError) -> Session
    ) {
        self.queue = queue
        self.log = log
        self.source = source
        self.ownsSession = ownsSession
        self.openSession = openSession
    }

    /// Adds a sink; false when the engine is closed.
    func add(_ sink: any LiveArrival) -> Bool { send { $0.arrivals.append(sink) } }

    /// Removes a cancelled sink.
    func remove(_ sink: any LiveArrival) { _ = send { $0.departures.append(sink) } }

    private func send(_ note: (inout Inbox) -> Void) -> Bool {
        let isOpen = inbox.withLock { inbox in
            if !inbox.isClosed { note(&inbox) }
            return !inbox.isClosed
        }
        if isOpen { schedulePass() }
        return isOpen
    }

    /// What has been done so far, and what is attached.
    var statistics: LiveStatistics { counts.withLock { $0 } }

    func wake() { schedulePass() }

    func logClosed() {}

    /// Has a pass check whether another connection committed since the last one.
    func look() {
        inbox.withLock { $0.isToLook = true }
        schedulePass()
    }

    /// Ends every live query with `.closed`, after the passes that are due, and then calls `done` on the live queue.
    func close(then done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            let mail = inbox.withLock { inbox in
                let mail = inbox
                inbox = Inbox()
                inbox.isClosed = true
                return mail
            }
            for sink in mail.arrivals { sink.fail(.closed) }
            failAll(.closed)
            if ownsSession { session?.close() }
            session = nil
            setActive(false)
            done()
        }
    }

    private func schedulePass() {
        let isFirst = inbox.withLock { inbox in
            defer { inbox.isPassScheduled = true }
            return !inbox.isPassScheduled
        }
        if isFirst { queue.async { self.pass() } }
    }

    private func setActive(_ isActive: Bool) {
        guard isActive != self.isActive else { return }
        self.isActive = isActive
        if isActive { _ = log.follow(self, .none, hearsAll: true) } else { log.unfollow(self) }
    }
}

// The following runs on the live queue.
extension LiveEngine {
    private func pass() {
        let mail = inbox.withLock { inbox in
            let mail = inbox
            if !mail.isClosed { inbox = Inbox() }
            return mail
        }
        guard !mail.isClosed else { return }
        for sink in mail.departures {
            if let node = audience.remove(sink) { forget(node) }
        }
        for (node, reason) in mail.retries where audience.isFollowed(node) { work.lose(node, reason) }
        let arrivals = mail.arrivals.filter { !$0.isCancelled }
        setActive(audience.nodeCount + arrivals.count > 0)
        guard isActive || mail.isToLook else { return noteCounts() }
        do {
            try bringUpToDate(arrivals, isToLook: mail.isToLook)
        } catch .busy {
            tryAgain([], arrivals)
        } catch {
            // The store itself cannot be read: no query can continue.
            for sink in arrivals { sink.fail(error) }
            failAll(error)
        }
        noteCounts()
    }

    private func bringUpToDate(_ arrivals: [any LiveArrival], isToLook: Bool) throws(RepositoryError) {
        // Before a snapshot is opened: what is committed after it, and began before this, is reported without its rows.
        let useful = index.usefulTables.union(arrivals.compactMap(\.table))
        log.follow(log.refusal == nil ? .useful(useful) : .none, by: self)
        let number = take(log.take(self))
        if arrivals.isEmpty && !work.hasLost && !isToLook {
            emit(commit: number)
            if !work.hasLost { return }
        }
        try readAnew(arrivals)
    }

    private func take(_ news: (number: Int, records: [CommitRecord])) -> Int {
        for record in news.records {
            let told = work.take(record, index)
            counts.withLock { ($0.told, $0.rows) = ($0.told + told, record.rows.count) }
        }
        return news.number
    }

    /// Brings those up to date in a snapshot that cannot be by the rows alone, and with them all others.
    private func readAnew(_ arrivals: [any LiveArrival]) throws(RepositoryError) {
        let session = try currentSession()
        // A snapshot that could not be opened is given up too, so that it can be tried again.
        defer { try? session.connection.rollback() }
        let number = take(
            try log.open(self) { number throws(RepositoryError) in
                try source.beginSnapshot(session.connection, after: number)
            })
        emit(commit: number)
        let due = work.takeLost()
        // Nothing is due any more but what is read now, so whoever arrives gets what is right.
        let isDue = Set(due.map { ObjectIdentifier($0.node) })
        var fresh: [any LiveNode] = []
        for sink in arrivals {
            if let node = audience.add(sink, commit: number, isDue) { fresh.append(node) }
        }
        // Counted first: whoever gets a value finds it counted.
        counts.withLock { counts in
            counts.first += fresh.count
            for (_, reason) in due {
                if reason == .usedUp { counts.refilled += 1 } else { counts.rerun += 1 }
            }
        }
        noteCounts()
        var busy: [(node: any LiveNode, reason: LiveWork.Reason)] = []
        for (node, reason) in due + fresh.map({ ($0, .lost) }) {
            if !refresh(node, session, commit: number, reason) { busy.append((node, reason)) }
        }
        if !busy.isEmpty { tryAgain(busy, []) }
    }

    /// Has those emit that are up to date by the rows alone.
    private func emit(commit: Int) {
        let patched = work.takePatched()
        if patched.isEmpty { return }
        counts.withLock { $0.patched += patched.count }
        for node in patched where !node.emit(commit: commit) { work.lose(node) }
    }

    private func currentSession() throws(RepositoryError) -> Session {
        if let session { return session }
        let opened = try openSession()
        session = opened
        return opened
    }

    /// Brings one query up to date; false when it must be tried again.
    private func refresh(_ node: any LiveNode, _ session: Session, commit: Int, _ reason: LiveWork.Reason) -> Bool {
        guard !node.cancellation.isCancelled else { return true }
        let transaction = ReadTransaction(session, node.cancellation)
        let result = session.connection.withCancellation(node.cancellation) {
            outcome(of: { try node.refresh(in: $0, commit: commit, reason) }, with: transaction)
        }
        switch result {
        case .success where session.forgetOutdatedStatements():
            // The tables changed, so it is not known which of them the query has just read: it is read once more.
            return false
        case .success:
            // A refill may read less than the query does.
            if reason == .lost { index.keep(node, reading: transaction.tables) }
        case .failure(.busy):
            return false
        case .failure(let error):
            forget(node)
            audience.forget(node)
            node.fail(error)
        }
        return true
    }

    private func tryAgain(_ nodes: [(node: any LiveNode, reason: LiveWork.Reason)], _ arrivals: [any LiveArrival]) {
        inbox.withLock { inbox in
            inbox.retries += nodes
            inbox.arrivals += arrivals
        }
        queue.async(after: .milliseconds(20)) { self.schedulePass() }
    }

    private func forget(_ node: any LiveNode) {
        index.remove(node)
        work.remove(node)
    }

    private func failAll(_ error: RepositoryError) {
        for node in audience.nodes { node.fail(error) }
        (index, work, audience) = (LiveIndex(), LiveWork(), LiveAudiences())
    }

    private func noteCounts() {
        counts.withLock {
            $0.subscriptions = audience.sinkCount; $0.queries = audience.nodeCount
        }
    }
}
