import Dispatch
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
        var arrivals: [any LiveNode] = []
        var departures: [any LiveNode] = []
        var isPassScheduled = false
        /// Whether the next pass opens a snapshot even if there is no query.
        var isToLook = false
        var isClosed = false
    }

    private let queue: DispatchQueue
    private let log: CommitLog
    private let openSession: @Sendable () throws(RepositoryError) -> Session
    private let ownsSession: Bool
    private let inbox = Lock(Inbox())
    private let counts = Lock(LiveStatistics())

    // Safe because only `queue` touches the following.
    private var isActive = false
    private var session: Session?
    private var index = LiveIndex()
    private var work = LiveWork()
    private var lastSnapshot: (number: Int, version: Int64)?

    /// Makes an engine that works on `queue`, with its own session or one that it shares.
    init(
        queue: DispatchQueue, log: CommitLog, ownsSession: Bool,
        openSession: @escaping @Sendable () throws(RepositoryError) -> Session
    ) {
        self.queue = queue
        self.log = log
        self.ownsSession = ownsSession
        self.openSession = openSession
    }

    /// Adds a query; false when the engine is closed.
    func add(_ node: any LiveNode) -> Bool {
        let isOpen = inbox.withLock { inbox in
            if !inbox.isClosed { inbox.arrivals.append(node) }
            return !inbox.isClosed
        }
        if isOpen { schedulePass() }
        return isOpen
    }

    /// Removes a cancelled query.
    func remove(_ node: any LiveNode) {
        let isOpen = inbox.withLock { inbox in
            if !inbox.isClosed { inbox.departures.append(node) }
            return !inbox.isClosed
        }
        if isOpen { schedulePass() }
    }

    /// What has been done so far, and how many queries there are.
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
            let arrivals = inbox.withLock { inbox in
                inbox.isClosed = true
                defer { (inbox.arrivals, inbox.departures) = ([], []) }
                return inbox.arrivals
            }
            for node in index.nodes + arrivals { node.fail(.closed) }
            (index, work) = (LiveIndex(), LiveWork())
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
            (inbox.arrivals, inbox.departures) = ([], [])
            (inbox.isPassScheduled, inbox.isToLook) = (false, false)
            return mail
        }
        guard !mail.isClosed else { return }
        for node in mail.departures {
            index.remove(node)
            work.remove(node)
        }
        let arrivals = mail.arrivals.filter { !$0.cancellation.isCancelled }
        setActive(index.count + arrivals.count > 0)
        guard isActive || mail.isToLook else { return }
        do {
            try bringUpToDate(arrivals, isToLook: mail.isToLook)
        } catch .busy {
            tryAgain(arrivals)
        } catch {
            // The store itself cannot be read: no query can continue.
            for node in arrivals + index.nodes { node.fail(error) }
            (index, work) = (LiveIndex(), LiveWork())
        }
    }

    private func bringUpToDate(_ arrivals: [any LiveNode], isToLook: Bool) throws(RepositoryError) {
        // Before a snapshot is opened: what is committed after it, and began before this, is told without its rows.
        let useful = index.usefulTables.union(arrivals.compactMap { $0.use?.table })
        log.follow(Connection.canTellOfRows ? .useful(useful) : .none, by: self)
        let (number, records) = log.take(self)
        for record in records { work.take(record, index) }
        if arrivals.isEmpty && work.lost.isEmpty && !isToLook {
            emit(commit: number)
            if work.lost.isEmpty { return }
        }
        try readAnew(arrivals)
    }

    /// Brings those up to date in a snapshot that cannot be by the rows alone, and with them all others.
    private func readAnew(_ arrivals: [any LiveNode]) throws(RepositoryError) {
        let session = try currentSession()
        // A snapshot that could not be opened is given up too, so that it can be tried again.
        defer { try? session.connection.rollback() }
        let (number, records) = try log.open(self) { number throws(RepositoryError) in
            try session.connection.beginRead()
            return try isElsewhereChanged(session, number)
        }
        for record in records { work.take(record, index) }
        emit(commit: number)
        var busy: [any LiveNode] = []
        let due = work.takeLost() + arrivals
        // Counted first: whoever gets a value finds it counted.
        counts.withLock { $0.read += due.count }
        for node in due where !refresh(node, session, commit: number) { busy.append(node) }
        if !busy.isEmpty { tryAgain(busy) }
    }

    /// Has those emit that are up to date by the rows alone.
    private func emit(commit: Int) {
        let patched = work.takePatched()
        counts.withLock { $0.patched += patched.count }
        for node in patched where !node.emit(commit: commit) { work.lose(node) }
    }

    private func currentSession() throws(RepositoryError) -> Session {
        if let session { return session }
        let opened = try openSession()
        session = opened
        return opened
    }

    /// Whether another connection committed since the last snapshot.
    ///
    /// The version changes with our own commits too; it proves another's only if there was none of ours. The writer
    /// checks for commits that others make between ours.
    private func isElsewhereChanged(_ session: Session, _ number: Int) throws(RepositoryError) -> Bool {
        let version = try session.connection.dataVersion()
        let isChanged = lastSnapshot.map { $0.number == number && $0.version != version } ?? false
        lastSnapshot = (isChanged ? number + 1 : number, version)
        return isChanged
    }

    /// Brings one query up to date; false when it must be tried again.
    private func refresh(_ node: any LiveNode, _ session: Session, commit: Int) -> Bool {
        guard !node.cancellation.isCancelled else {
            index.remove(node)
            return true
        }
        work.remove(node)
        let transaction = ReadTransaction(session, node.cancellation)
        let connection = session.connection
        connection.monitor.flag = node.cancellation
        defer { connection.monitor.flag = nil }
        switch outcome(of: { try node.refresh(in: $0, commit: commit) }, with: transaction) {
        case .success where session.forgetOutdatedStatements():
            // The tables changed, so it is not known which of them the query has just read: it is read once more.
            return false
        case .success:
            index.keep(node, reading: transaction.tables)
        case .failure(.busy):
            return false
        case .failure(let error):
            index.remove(node)
            node.fail(error)
        }
        return true
    }

    private func tryAgain(_ nodes: [any LiveNode]) {
        inbox.withLock { $0.arrivals += nodes }
        queue.asyncAfter(deadline: .now() + .milliseconds(20)) { self.schedulePass() }
    }
}
