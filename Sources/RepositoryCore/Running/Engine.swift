import Dispatch
import Foundation
import Signals

/// The queues and connections of an open repository: one writer, a few readers, and the live queries.
///
/// ```
///   write ──▶ writer queue ──commit──▶ log ──▶ live queue ──▶ sinks
///                                       └───▶ signals of changes
///   read  ──▶ a reader of the pool (in memory: the writer queue)
/// ```
/// Every result is delivered through an `Outbox`: on a delivery thread, or on the thread that produced the result,
/// after this thread has left its executor.
package final class Engine: Sendable {
    let lifecycle = Lifecycle()
    /// Set when the repository is closed, so that reads in progress end.
    private let closing = CancellationFlag()
    let writer: WriterQueue?
    let readers: ReaderPool?
    let live: LiveEngine
    private let dialect: any Dialect
    package let log: CommitLog
    let streams = OpenRuns()
    /// The queue that suspends and resumes the repository, and closes it after a suspension, one operation at a time.
    let transitions = DispatchQueue(label: "SignalRepository.transitions")

    package init<Store: StoreEngine>(_ store: Store, _ configuration: RepositoryConfiguration) {
        let queue = Executor(label: "SignalRepository.writer", clock: configuration.clock)
        // An in-memory store has one connection, so nothing else can commit to it.
        let isShared = store.onlyConnection != nil
        let liveQueue = isShared ? queue : Executor(label: "SignalRepository.live", clock: configuration.clock)
        let watch = CommitWatch(every: configuration.watchInterval)
        let source = store.makeCommitSource()
        let watchWhileFollowed = { @Sendable hasReaders in
            if hasReaders, !isShared { watch.start() } else { watch.stop() }
        }
        let log = CommitLog(refusal: source.refusal, activity: watchWhileFollowed, now: configuration.now)
        let writer = store.makeWriter(now: configuration.now).map { WriterQueue($0, queue: queue, log: log) }
        let readers = isShared ? nil : ReaderPool(store, size: configuration.readers, now: configuration.now)
        let live = LiveEngine(
            queue: liveQueue, log: log, source: source, ownsSession: !isShared, now: configuration.now
        ) { () throws(RepositoryError) in
            let connection = if let only = store.onlyConnection { only } else { try store.makeReader() }
            let own = isShared ? nil : Session(connection, now: configuration.now)
            guard let session = own ?? writer?.session else { throw .closed }
            session.liveMemoryLimit = configuration.liveMemoryLimit
            return (session, connection)
        }
        if let writer {
            // The writer does not notice commits to attached databases, so the live engine polls for them.
            let checksAttached = !configuration.attached.isEmpty
            watch.poll(by: { [weak writer, weak live] in
                writer?.schedulePoll()
                if checksAttached { live?.poll() }
            })
        } else {
            watch.poll(by: { [weak live] in live?.poll() })
        }
        source.start(log) { [weak writer] in writer?.schedulePoll() }
        (self.writer, self.readers, self.live, self.log) = (writer, readers, live, log)
        dialect = store.dialect
    }
}

extension Engine {
    package func read<Output: Sendable>(
        _ sink: Sink<Output, RepositoryError>, as kind: TransactionKind,
        _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) {
        let run = OneValueOutbox(sink)
        run.start(sink.onUpstream) { admitRead($0, as: kind) { store in try run.fill { try body(store) } } }
    }

    private func admitRead(
        _ run: OneOutbox, as kind: TransactionKind, _ body: @escaping @Sendable (ReadTransaction) throws -> Void
    ) {
        switch lifecycle.enter() {
        case .closed: return run.refuse(RepositoryError.closed)
        case .suspended: return postpone(run) { [self] in admitRead(run, as: kind, body) }
        case .admitted: break
        }
        let cancellation = CancellationFlag(of: run, closing: closing, endsWhenClosing: true)
        submitRead { [self] session in
            defer { leave() }
            if run.isClosed { return }
            if let reason = cancellation.reason { return run.fail(reason) }
            end(run, session.flatMap { $0.read(cancellation, as: kind, body) })
        }
    }

    private func end(_ run: OneOutbox, _ outcome: Result<Void, RepositoryError>) {
        switch outcome {
        case .success: run.finish()
        case .failure(let error): run.fail(error)
        }
    }

    /// Postpones work until the repository resumes.
    ///
    /// If the calling thread is in `wait()`, the work fails instead, because the program may intend to resume the
    /// repository on this very thread.
    private func postpone(_ run: OneOutbox, _ start: @escaping @Sendable () -> Void) {
        if ThreadContext.isWaiting { return run.refuse(RepositoryError.suspended) }
        if !lifecycle.postpone(start) { start() }
    }

    package func write<Output: Sendable>(
        _ sink: Sink<Output, RepositoryError>, author: String?, as kind: TransactionKind,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) {
        let run = OneValueOutbox(sink)
        run.start(sink.onUpstream) {
            write($0, author: author, as: kind) { store in try run.fill { try body(store) } }
        }
    }

    private func write(
        _ run: OneOutbox, author: String?, as kind: TransactionKind,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Void
    ) {
        admitWrite(run) { writer, cancellation in
            writer.perform(WriteTransaction(writer.session, cancellation, author: author, as: kind), body)
        }
    }

    /// Runs `body` on the writer's connection between two transactions, for one attached sink.
    package func maintain<Output: Sendable>(
        _ sink: Sink<Output, RepositoryError>, _ body: @escaping @Sendable (Session) throws -> Output
    ) {
        let run = OneValueOutbox(sink)
        run.start(sink.onUpstream) {
            admitWrite($0) { writer, cancellation in
                writer.maintain(cancellation) { session in try run.fill { try body(session) } }
            }
        }
    }

    private func admitWrite(
        _ run: OneOutbox,
        _ work: @escaping @Sendable (WriterQueue, CancellationFlag) -> Result<Void, RepositoryError>
    ) {
        switch lifecycle.enter() {
        case .closed: return run.refuse(RepositoryError.closed)
        case .suspended: return postpone(run) { [self] in admitWrite(run, work) }
        case .admitted: break
        }
        guard let writer else {
            run.refuse(RepositoryError.readOnly(detail: "the repository was opened for reading only"))
            return leave()
        }
        let cancellation = CancellationFlag(of: run, closing: closing)
        writer.queue.submit { [self] in
            defer { leave() }
            if !run.isClosed { end(run, work(writer, cancellation)) }
        }
    }

    /// Follows a live query for one attached sink.
    ///
    /// `make` creates the outbox that delivers the values to the sink.
    private func follow<Output: Sendable & Equatable, Value>(
        _ sink: Sink<Value, RepositoryError>, _ query: LiveQuery<Output>, _ make: (_ isHeld: Bool) -> LatestOutbox
    ) {
        // A thread in `wait()` may update the live queries itself. It holds the outbox, to also deliver the result.
        let isWaiting = ThreadContext.isWaiting
        let subscription = make(isWaiting)
        defer { if isWaiting { subscription.endHold() } }
        sink.receive(upstream: subscription.upstream)
        if subscription.isClosed { return }
        if isWaiting, lifecycle.isSuspended { return subscription.fail(RepositoryError.suspended) }
        if !lifecycle.isOpen || !live.add(LiveArrival(subscription, query, in: dialect)) {
            subscription.fail(RepositoryError.closed)
        }
    }

    func followChanges(_ sink: Sink<ChangeSet, RepositoryError>, _ request: ChangeRequest) {
        let listener = ChangeListener(request, sink, log: log)
        sink.receive(
            upstream: Upstream(request: { listener.request($0) }, cancel: { listener.cancel() }))
        // The listener starts on the writer's queue: after the writes that were attached earlier, and before later
        // writes.
        guard let writer else { return listener.start() }
        writer.catchUp { listener.start() }
    }

    package var canWrite: Bool { writer != nil }

    /// Streams values to one attached sink.
    ///
    /// `open` creates the source of the values.
    package func stream<Output: Sendable>(
        _ sink: Sink<Output, RepositoryError>,
        _ open: @escaping @Sendable (CancellationFlag) throws(RepositoryError) -> OpenRows<Output>
    ) {
        let cancellation = CancellationFlag()
        let admitted = Lock<Outbox?>(nil)
        let run = PulledOutbox<Output, RepositoryError>(sink) { () throws(RepositoryError) in
            try open(cancellation)
        } ended: { [self] in
            guard let run = admitted.withLock({ $0.take() }) else { return }
            streams.remove(run)
            leave()
        }
        sink.receive(
            upstream: Upstream(
                request: { run.request($0) },
                cancel: {
                    // The outbox is cancelled first, so that it does not deliver the interruption as a failure.
                    run.cancel()
                    cancellation.cancel()
                }))
        admit(run) { [self] in
            admitted.withLock { $0 = run }
            let isOpen = streams.add(run) { error in
                run.fail(error)
                cancellation.cancel()
            }
            if !isOpen { run.fail(.closed) }
            // A suspension that ended all streams before this one was added did not end this one.
            if lifecycle.isSuspended { run.fail(.suspended) }
        }
    }

    private func admit<Output>(
        _ run: PulledOutbox<Output, RepositoryError>, _ enlist: @escaping @Sendable () -> Void
    ) {
        switch lifecycle.enter() {
        case .suspended:
            if !ThreadContext.isWaiting {
                let isPostponed = lifecycle.postpone { [self] in admit(run, enlist) }
                return isPostponed ? () : admit(run, enlist)
            }
            run.fail(.suspended)
        case .closed: run.fail(.closed)
        case .admitted: enlist()
        }
        run.start()
    }

    package var statistics: LiveStatistics { live.statistics }

    /// Begins to close; see `Repository.close()`.
    ///
    /// `endsReads` is false if the program has released the repository without closing it. Its reads then finish,
    /// because their results may still be wanted.
    package func close(endsReads: Bool) {
        if endsReads { closing.cancel() }
        writer?.announceClose()
        streams.close()
        if lifecycle.close() { finish() }
    }

    package func whenClosed(_ action: @escaping @Sendable () -> Void) {
        lifecycle.whenClosed(action)
    }

    private func submitRead(_ work: @escaping ReaderPool.Work) {
        if let readers {
            readers.submit(work)
        } else if let writer {
            writer.queue.submit { work(.success(writer.session)) }
        } else {
            work(.failure(.closed))
        }
    }

    private func leave() {
        if lifecycle.leave() { finish() }
    }

    /// Closes everything, after a suspension in progress has ended.
    private func finish() {
        if lifecycle.wasSuspended { transitions.async { self.tearDown() } } else { tearDown() }
    }

    /// Ends the live queries, then closes the readers, then the writer.
    private func tearDown() {
        live.close { [self] in
            log.close()
            guard let readers else { return closeWriter() }
            readers.close { [self] in closeWriter() }
        }
    }

    private func closeWriter() {
        guard let writer else { return lifecycle.closed() }
        writer.queue.async { [self] in
            writer.close()
            lifecycle.closed()
        }
    }
}

// The signals of a repository. Each signal retains the repository.
extension Engine {
    package func reading<Output: Sendable>(
        _ owner: any AnyObject & Sendable, as kind: TransactionKind = .read,
        _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        Signal(trusted: { sink in withExtendedLifetime(owner) { self.read(sink, as: kind, body) } })
    }

    package func writing<Output: Sendable>(
        _ owner: any AnyObject & Sendable, author: String?, as kind: TransactionKind = .write,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        Signal(trusted: { sink in withExtendedLifetime(owner) { self.write(sink, author: author, as: kind, body) } })
    }

    package func following<Output: Sendable & Equatable>(
        _ owner: any AnyObject & Sendable, _ query: LiveQuery<Output>
    ) -> Signal<Committed<Output>, RepositoryError> {
        Signal(trusted: { sink in
            withExtendedLifetime(owner) {
                self.follow(sink, query) { isHeld in
                    NumberedOutbox<Output, RepositoryError>(
                        isHeld: isHeld, onValue: { sink.receive(Committed(commit: $0, value: $1)) },
                        onCompletion: { sink.receive(completion: $0) })
                }
            }
        })
    }

    package func followingValues<Output: Sendable & Equatable>(
        _ owner: any AnyObject & Sendable, _ query: LiveQuery<Output>
    ) -> Signal<Output, RepositoryError> {
        Signal(trusted: { sink in
            withExtendedLifetime(owner) {
                self.follow(sink, query) { LatestValueOutbox(sink, isHeld: $0) }
            }
        })
    }

    func followingChanges(
        _ owner: any AnyObject & Sendable, _ request: ChangeRequest
    ) -> Signal<ChangeSet, RepositoryError> {
        Signal(trusted: { sink in withExtendedLifetime(owner) { self.followChanges(sink, request) } })
    }

    func streaming<Output>(
        _ owner: any AnyObject & Sendable, _ rows: RowsQuery<Output>
    ) -> Signal<Output, RepositoryError> {
        // An in-memory store has one connection, so a stream reads all rows at once.
        guard let readers else {
            return reading(owner) { store in try store.rows(rows) }.flatMap { items in .sequence(items) }
        }
        return streaming(owner) { cancellation throws(RepositoryError) in
            let rows = try ItemRows(try readers.makeSession(), rows.sql, cancellation, rows.read)
            return OpenRows(next: { () throws(RepositoryError) in try rows.next() }, close: { rows.close() })
        }
    }

    package func streaming<Output: Sendable>(
        _ owner: any AnyObject & Sendable,
        _ open: @escaping @Sendable (CancellationFlag) throws(RepositoryError) -> OpenRows<Output>
    ) -> Signal<Output, RepositoryError> {
        Signal(trusted: { sink in withExtendedLifetime(owner) { self.stream(sink, open) } })
    }

    package func maintaining<Output: Sendable>(
        _ owner: any AnyObject & Sendable, _ body: @escaping @Sendable (Session) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        Signal(trusted: { sink in withExtendedLifetime(owner) { self.maintain(sink, body) } })
    }

    package func closed() -> Signal<Void, Never> {
        close(endsReads: true)
        return Signal(trusted: { sink in
            let run = OneValueOutbox(onValue: sink.onValue) { _ in sink.receive(completion: .finished) }
            run.start(sink.onUpstream) { _ in self.whenClosed { run.finish(with: ()) } }
        })
    }
}

extension OneValueOutbox {
    convenience init(_ sink: Sink<Value, RepositoryError>) {
        self.init(onValue: sink.onValue) { [onCompletion = sink.onCompletion] failure in
            onCompletion(failure.map { .failure(.thrown($0)) } ?? .finished)
        }
    }
}
