import Foundation
import Signals

/// The engine that keeps the attached live queries of a repository up to date.
///
/// The commit log records each commit. A pass, which runs on the live queue, takes these records and finds the affected
/// queries. The pass updates each of these queries from the changed rows or, if that is not possible, re-reads the
/// query in a snapshot that all such queries share. Then the queries send new results to their subscriptions. The first
/// value of a new query is read in such a snapshot. It belongs to a known commit, so the query misses no later change.
final class LiveEngine: LogReader, @unchecked Sendable {
    private let queue: Executor
    private let log: CommitLog
    private let openSession: () throws(RepositoryError) -> SnapshotSession
    private let ownsSession: Bool
    private let source: any CommitSource
    private let inbox = Lock(LiveInbox())
    private let counts = Lock(LiveStatistics())

    // Safe because only work on `queue` uses the following properties.
    private var isActive = false
    /// Whether the repository is suspended.
    private var isPaused = false
    private var opened: SnapshotSession?
    /// The delay before failed reads are retried, in milliseconds.
    private var pause = LiveEngine.shortestPause
    private var index = LiveIndex() { didSet { followed = nil } }
    /// The tables that the queries read, and the tables whose rows to capture; cached, because each pass needs both.
    private var followed: (tables: Set<String>, interest: CaptureInterest)?
    private var work = LiveWork()
    private var queries = SharedQueries()
    private let now: @Sendable () -> Date
    /// The time that all reads of a pass share.
    private var time = Date.distantPast
    private var timer = LiveTimer()
    /// Whether a pass is scheduled that retries failed reads.
    private var isRetrying = false

    /// The bounds of `pause`: a busy store is retried after the shortest pause; any other failure doubles the pause.
    private static let (shortestPause, longestPause) = (20, 500)
    /// The number of updates (changed rows times queries) that take at most a millisecond.
    private static let fewUpdates = 1_000
    /// The delay before cancelled subscriptions are removed, in milliseconds.
    private static let sweepPause = 10

    /// Creates an engine that works on `queue`; if `ownsSession`, it closes the session that `open` returns.
    init<Connection: StoreConnection>(
        queue: Executor, log: CommitLog, source: any CommitSource<Connection>, ownsSession: Bool,
        now: @escaping @Sendable () -> Date = { Date() },
        open: @escaping @Sendable () throws(RepositoryError) -> (Session, Connection)
    ) {
        self.queue = queue
        self.log = log
        (self.source, self.now) = (source, now)
        self.ownsSession = ownsSession
        openSession = { () throws(RepositoryError) in
            let (session, connection) = try open()
            return SnapshotSession(session, connection, source)
        }
        queries = SharedQueries(on: queue.confinement) { [weak self] in self?.remove($0) }
    }

    /// Adds a subscription; returns `false` if the engine is closed.
    func add(_ arrival: LiveArrival) -> Bool { post { $0.arrivals.append(arrival) } }

    /// Removes a cancelled subscription in the next pass; if no pass runs within a short delay, runs one.
    ///
    /// Without the delay, a screen that is opened and closed would wake a thread for each cancel. Waking a thread takes
    /// longer than reading the query.
    private func remove(_ subscription: LatestOutbox) {
        let isFirst = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.departures.append(subscription)
            defer { inbox.isSweepScheduled = true }
            return !inbox.isSweepScheduled
        }
        if isFirst { queue.async(after: .milliseconds(Self.sweepPause)) { self.sweep() } }
    }

    private func sweep() {
        let isNeeded = inbox.withLock { inbox in
            inbox.isSweepScheduled = false
            return !inbox.departures.isEmpty
        }
        if isNeeded { pass() }
    }

    private func post(_ note: (inout LiveInbox) -> Void) -> Bool {
        let isOpen = inbox.withLock { inbox in
            if !inbox.isClosed { note(&inbox) }
            return !inbox.isClosed
        }
        if isOpen { schedulePass() }
        return isOpen
    }

    var statistics: LiveStatistics { counts.withLock { $0 } }

    func wake() { schedulePass() }

    func wakeOnThisThread(rows: Int) {
        guard rows * statistics.queries <= Self.fewUpdates else { return wake() }
        if notePass(), !queue.tryOnThisThread({ pass(mayRead: false) }) { queue.async { self.pass() } }
    }

    func logClosed() {}

    /// Checks for commits by other connections: in the commit source or, if that cannot check, in a pass.
    func poll() {
        if source.poll() { return }
        inbox.withLock { $0.mustPoll = true }
        schedulePass()
    }

    /// Ends every live query with `.closed` after all due passes, and then calls `done` on the live queue.
    func close(then done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            // `catchUp` schedules the passes for earlier commits, so they run before `end`.
            source.catchUp()
            queue.async { [self] in end(then: done) }
        }
    }

    /// Stops making passes until `resume()`, releases the session, and then calls `done`.
    func pause(then done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            isPaused = true
            releaseSession()
            done()
        }
    }

    private func releaseSession() {
        queue.confinement.assertHeld()
        if ownsSession { opened?.session.close() }
        opened = nil
    }

    /// Resumes the passes; the next pass handles everything that arrived during the pause.
    func resume() {
        queue.async { [self] in
            isPaused = false
            schedulePass()
        }
    }

    private func end(then done: @Sendable () -> Void) {
        queue.confinement.assertHeld()
        let mail = inbox.withLock { inbox in
            defer { inbox = LiveInbox(isClosed: true) }
            return inbox
        }
        for arrival in mail.arrivals { arrival.subscription.fail(RepositoryError.closed) }
        failAll(.closed)
        releaseSession()
        source.close()
        setActive(false)
        done()
    }

    private func schedulePass() {
        if notePass() { queue.submit { self.pass() } }
    }

    /// Marks a pass as scheduled; returns `false` if a pass was already scheduled.
    private func notePass() -> Bool {
        inbox.withLock { inbox in
            defer { inbox.isPassScheduled = true }
            return !inbox.isPassScheduled
        }
    }

    private func setActive(_ isActive: Bool) {
        queue.confinement.assertHeld()
        guard isActive != self.isActive else { return }
        self.isActive = isActive
        if isActive {
            _ = log.subscribe(self, capturing: .none, includesUncaptured: true)
        } else {
            log.unsubscribe(self)
        }
    }
}

// All methods below run on the live queue.
extension LiveEngine {
    /// Makes a pass; unless `mayRead`, it leaves all queries that must read the store to a later pass.
    private func pass(mayRead: Bool = true) {
        queue.confinement.assertHeld()
        if isPaused { return inbox.withLock { $0.isPassScheduled = false } }
        let mail = inbox.withLock { inbox -> LiveInbox? in
            inbox.isPassScheduled = false
            guard !inbox.isClosed, mayRead || !inbox.hasReads else { return nil }
            defer { inbox = LiveInbox(isSweepScheduled: inbox.isSweepScheduled) }
            return inbox
        }
        guard let mail else {
            if !mayRead { schedulePass() }
            return
        }
        for query in mail.departures.compactMap({ queries.remove($0) }) { forget(query) }
        let arrivals = mail.arrivals.filter { !$0.subscription.isClosed }
        setActive(queries.count + arrivals.count > 0)
        guard isActive || mail.mustPoll else { return noteCounts() }
        time = now()
        for query in index.timed.values { work.add(query, query.advance(to: time)) }
        do {
            try bringUpToDate(arrivals, mustPoll: mail.mustPoll, mayRead)
            if mayRead, queries.count == 0 { setActive(false) }
        } catch  where source.passes(error) {
            tryAgain(arrivals, error)
        } catch {
            // The store itself cannot be read, so no query can continue.
            for arrival in arrivals { arrival.subscription.fail(error) }
            failAll(error)
        }
        noteCounts()
        guard !isRetrying, let due = index.timed.values.compactMap(\.due).min() else { return }
        timer.set(to: due, at: time, queue.now) { wait, end in
            queue.async(after: wait) { [self] in if timer.fire(end) { schedulePass() } }
        }
    }

    private func bringUpToDate(
        _ arrivals: [LiveArrival], mustPoll: Bool, _ mayRead: Bool
    ) throws(RepositoryError) {
        // `log.take` comes before the snapshot, because only transactions that begin after it capture these rows.
        var (tables, interest) = following()
        if !arrivals.isEmpty { interest = interest.union(.useful(self.tables(of: arrivals))) }
        let reads = !arrivals.isEmpty || work.hasReads || mustPoll
        let number = take(
            log.take(self, capturing: log.refusal == nil ? interest : .none, until: reads ? nil : tables))
        if !reads {
            sendUpdated(commit: number, isLast: true)
            if !work.hasReads { return }
            Executor.flush()
        }
        if mayRead { try read(arrivals) } else { schedulePass() }
    }

    private func following() -> (tables: Set<String>, interest: CaptureInterest) {
        if let followed { return followed }
        let known = (index.tables, CaptureInterest.useful(index.budgets))
        followed = known
        return known
    }

    private func tables(of arrivals: [LiveArrival]) -> Set<String> {
        arrivals.reduce(into: []) { $0.formUnion($1.tables) }
    }

    private func take(_ news: (number: Int, records: [CommitRecord])) -> Int {
        for record in news.records {
            let matched = work.take(record, index)
            counts.withLock { ($0.matched, $0.changedRows) = ($0.matched + matched, record.rows.count) }
        }
        return news.number
    }

    /// Opens a snapshot, and brings all queries up to its state by updates in place or, where needed, by reads.
    private func read(_ arrivals: [LiveArrival]) throws(RepositoryError) {
        let opened = try currentSession()
        let session = opened.session
        // Rolls back even if the snapshot could not be opened, so that the next attempt can begin a transaction.
        defer { try? session.connection.rollback() }
        try opened.prepareSnapshot { index.tables.union(tables(of: arrivals)) }
        let number = take(
            try log.open(self) { number throws(RepositoryError) in
                try opened.beginSnapshot(number)
            })
        sendUpdated(commit: number)
        readKeys(session, commit: number)
        let due = work.takeAll()
        // A query that is not due is up to date, so a new subscription to it can get the query's last value.
        let ids = Set(due.map { ObjectIdentifier($0.query) })
        // Updates the statistics before values are sent, so that they include every sink that has received a value.
        counts.withLock { $0.subscriptions = queries.subscriptionCount + arrivals.count }
        let new = arrivals.compactMap { queries.add($0, commit: number, due: ids) }
        let refills = due.count { $0.effect == .needsRefill }
        counts.withLock { counts in
            counts.firstReads += new.count
            counts.refilled += refills
            counts.reread += due.count - refills
        }
        noteCounts()
        var failure: RepositoryError?
        for due in due + new.map({ ($0, .needsReread) }) { refresh(due, session, commit: number, &failure) }
        if work.hasReads { tryAgain([], failure) } else { pause = Self.shortestPause }
    }

    /// Re-reads the queries that need only the items of some keys, and sends the queries' results.
    ///
    /// If the re-read of a query by key fails, the query is re-read in full, in the same snapshot.
    private func readKeys(_ session: Session, commit: Int) {
        for query in work.take(.rereadByKey) where !query.cancellation.isCancelled {
            let transaction = ReadTransaction(session, query.cancellation, at: time)
            let result = try? session.connection.withCancellation(query.cancellation) {
                try transaction.run { try query.readKeys(in: transaction) }
            }
            // If the schema has changed, the query may have read other tables than before, so it is re-read in full.
            let effect = session.forgetOutdatedStatements() ? .needsReread : result ?? .needsReread
            if effect <= .updatedInPlace { counts.withLock { $0.rereadByKey += 1 } }
            work.add(query, effect)
        }
        sendUpdated(commit: commit, counting: false)
    }

    /// Sends the results of the queries that were updated in place; with `isLast`, this thread delivers the last one.
    private func sendUpdated(commit: Int, counting: Bool = true, isLast: Bool = false) {
        let updatedInPlace = work.take(.updatedInPlace)
        if updatedInPlace.isEmpty { return }
        if counting { counts.withLock { $0.updatedInPlace += updatedInPlace.count } }
        for (index, query) in updatedInPlace.enumerated() {
            do {
                let sent = try query.sendUpdated(commit: commit)
                // The last result is delivered on this thread after the pass, because waking another thread takes
                // longer than most passes.
                if isLast, index == updatedInPlace.count - 1 { sent?.deliver() } else { sent?.schedule() }
            } catch {
                work.add(query, .needsReread)
            }
        }
    }

    private func currentSession() throws(RepositoryError) -> SnapshotSession {
        if let opened { return opened }
        let made = try openSession()
        opened = made
        return made
    }

    /// Re-reads one query in full, or refills its maintainer's reserve; if this must be retried, it remains in `work`.
    private func refresh(
        _ due: LiveWork.Due, _ session: Session, commit: Int, _ failure: inout RepositoryError?
    ) {
        let (query, isRefill) = (due.query, due.effect == .needsRefill)
        guard !query.cancellation.isCancelled else { return }
        let transaction = ReadTransaction(session, query.cancellation, at: time)
        let begun = queue.now
        let result = session.connection.withCancellation(query.cancellation) {
            Result { () throws(RepositoryError) in
                try transaction.run { try query.refresh(in: transaction, commit: commit, isRefill: isRefill) }
            }
        }
        if case .success(let sent) = result { sent?.schedule() }
        switch result {
        case .success where session.forgetOutdatedStatements():
            // The schema changed, so it is unknown which tables the query has just read: the query is read once more.
            work.add(query, due.effect)
        case .success:
            // A refill may read fewer tables than the query, so only a full read updates the index.
            if isRefill { break }
            let tables = transaction.tables.union(session.connection.tablesOfFunctions())
            index.keep(query, reading: SearchIndex.removingIndexes(from: tables), for: queue.now - begun)
        case .failure(let error) where source.passes(error):
            _ = session.forgetOutdatedStatements()
            failure = error
            work.add(query, due.effect)
        case .failure(let error):
            forget(query)
            queries.forget(query)
            query.fail(error)
        }
    }

    private func tryAgain(_ arrivals: [LiveArrival], _ error: RepositoryError?) {
        inbox.withLock { $0.arrivals += arrivals }
        switch error {
        case nil, .busy: pause = Self.shortestPause
        default: pause = min(2 * pause, Self.longestPause)
        }
        if isRetrying { return }
        isRetrying = true
        queue.async(after: .milliseconds(pause)) { [self] in
            isRetrying = false
            schedulePass()
        }
    }

    private func forget(_ query: any SharedQuery) {
        index.remove(query)
        work.remove(query)
    }

    private func failAll(_ error: RepositoryError) {
        queries.fail(error)
        (index, work) = (LiveIndex(), LiveWork())
    }

    private func noteCounts() {
        counts.withLock { ($0.subscriptions, $0.queries) = (queries.subscriptionCount, queries.count) }
    }
}
