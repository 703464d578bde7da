import Dispatch
import Signals
import Synchronization

/// Keeps every attached live query up to date: the one engine behind all live signals of a repository.
///
/// A commit leaves the tables that it changed at the gate (capture). A pass on the live queue opens one snapshot, finds
/// the queries that read those tables (match), has each brought up to date in that snapshot (maintain), and each
/// gives its sink what is new (emit). A query that arrives is read for the first time in such a pass, so nothing can
/// change between its first value and its registration.
final class LiveEngine: @unchecked Sendable {
    private struct Inbox {
        var arrivals: [LiveNode] = []
        var departures: [LiveNode] = []
        var isPassScheduled = false
        var isClosed = false
    }

    private let queue: DispatchQueue
    private let gate: CommitGate
    private let openSession: @Sendable () throws(RepositoryError) -> Session
    private let watch: CommitWatch?
    private let look: @Sendable (LiveEngine) -> Void
    private let inbox = Lock(Inbox())
    private let active = Atomic<Bool>(false)

    // Safe because only `queue` touches what follows.
    private var session: Session?
    private var index = LiveIndex()
    private var lastSnapshot: (number: Int, version: Int64)?

    /// Makes an engine that works on `queue`; while there are live queries, `watch` calls `look`, which is to find out
    /// whether others have committed.
    init(
        queue: DispatchQueue, gate: CommitGate, watch: CommitWatch?,
        openSession: @escaping @Sendable () throws(RepositoryError) -> Session,
        look: @escaping @Sendable (LiveEngine) -> Void
    ) {
        self.queue = queue
        self.gate = gate
        self.watch = watch
        self.openSession = openSession
        self.look = look
    }

    /// Whether there is a live query, so that commits elsewhere matter.
    var isActive: Bool { active.load(ordering: .acquiring) }

    /// Takes a query in; false when the engine is closed.
    func add(_ node: LiveNode) -> Bool {
        let isOpen = inbox.withLock { inbox in
            if !inbox.isClosed { inbox.arrivals.append(node) }
            return !inbox.isClosed
        }
        if isOpen { schedulePass() }
        return isOpen
    }

    /// Lets a cancelled query go.
    func remove(_ node: LiveNode) {
        let isOpen = inbox.withLock { inbox in
            if !inbox.isClosed { inbox.departures.append(node) }
            return !inbox.isClosed
        }
        if isOpen { schedulePass() }
    }

    /// Says that the gate has counted a commit.
    func committed() {
        if isActive { schedulePass() }
    }

    /// Has a pass find out whether another connection committed since the last one.
    func lookAnew() {
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
            index = LiveIndex()
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
        guard active.exchange(isActive, ordering: .acquiringAndReleasing) != isActive else { return }
        watch?.setRunning(isActive) { [weak self, look] in
            if let self { look(self) }
        }
    }
}

// What follows runs on the live queue.
extension LiveEngine {
    private func pass() {
        let mail = inbox.withLock { inbox in
            let mail = inbox
            (inbox.arrivals, inbox.departures) = ([], [])
            inbox.isPassScheduled = false
            return mail
        }
        guard !mail.isClosed else { return }
        for node in mail.departures { index.remove(node) }
        let arrivals = mail.arrivals.filter { !$0.cancellation.isCancelled }
        setActive(index.count + arrivals.count > 0)
        guard isActive else { return }
        do {
            try bringUpToDate(arrivals)
        } catch .busy {
            tryAgain(arrivals)
        } catch {
            // The store itself cannot be read: no query has a future.
            for node in arrivals + index.nodes { node.fail(error) }
            index = LiveIndex()
        }
    }

    private func bringUpToDate(_ arrivals: [LiveNode]) throws(RepositoryError) {
        let session = try currentSession()
        // A snapshot that could not be opened is given up too, so that it can be tried again.
        defer { try? session.connection.rollback() }
        let (number, dirty) = try gate.open { number throws(RepositoryError) in
            try session.connection.beginRead()
            return try isElsewhereChanged(session, number)
        }
        var busy: [LiveNode] = []
        for node in index.matching(dirty) + arrivals {
            if !refresh(node, session, commit: number) { busy.append(node) }
        }
        if !busy.isEmpty { tryAgain(busy) }
    }

    private func currentSession() throws(RepositoryError) -> Session {
        if let session { return session }
        let opened = try openSession()
        session = opened
        return opened
    }

    /// Whether another connection committed since the last snapshot.
    ///
    /// The version moves with our own commits too; it proves another's only when there was none of ours. For what
    /// others commit between ours, the writer looks.
    private func isElsewhereChanged(_ session: Session, _ number: Int) throws(RepositoryError) -> Bool {
        let version = try session.connection.dataVersion()
        let isChanged = lastSnapshot.map { $0.number == number && $0.version != version } ?? false
        lastSnapshot = (isChanged ? number + 1 : number, version)
        return isChanged
    }

    /// Brings one query up to date; false when it must be tried again.
    private func refresh(_ node: LiveNode, _ session: Session, commit: Int) -> Bool {
        guard !node.cancellation.isCancelled else {
            index.remove(node)
            return true
        }
        let transaction = ReadTransaction(session, node.cancellation)
        let connection = session.connection
        connection.monitor.flag = node.cancellation
        defer { connection.monitor.flag = nil }
        switch outcome(of: { try node.refresh(in: $0, commit: commit) }, with: transaction) {
        case .success where session.forgetOutdatedStatements():
            // The tables changed, so that it is not known which of them the query has just read: it is read once more.
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

    private func tryAgain(_ nodes: [LiveNode]) {
        inbox.withLock { $0.arrivals += nodes }
        queue.asyncAfter(deadline: .now() + .milliseconds(20)) { self.schedulePass() }
    }
}
