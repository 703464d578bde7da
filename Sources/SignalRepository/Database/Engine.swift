import Dispatch
import Signals

/// The queues and connections of an open repository: one writer, a few readers, the live queries.
///
/// ```
///   write ──▶ writer queue ──commit──▶ gate ──tables──▶ live queue ──▶ sinks
///   read  ──▶ a reader of the pool (in memory: the writer queue)
/// ```
/// Every result leaves by `Delivery`.
final class Engine: Sendable {
    private let lifecycle = Lifecycle()
    private let writer: WriterQueue?
    private let readers: ReaderPool?
    let live: LiveEngine
    let gate = CommitGate()

    init(_ store: OpenedStore, options: RepositoryOptions) {
        let gate = gate
        let writer = store.writer.map { connection in
            WriterQueue(
                connection, queue: DispatchQueue(label: "SignalRepository.writer"), gate: gate,
                checkpointBound: store.canHaveReaders ? options.checkpointPages : nil)
        }
        let readers = store.canHaveReaders ? ReaderPool(store, size: options.readers) : nil
        self.writer = writer
        self.readers = readers
        if let readers {
            let queue = DispatchQueue(label: "SignalRepository.live")
            live = LiveEngine(
                queue: queue, gate: gate, watch: CommitWatch(every: options.watchInterval, on: writer?.queue ?? queue),
                openSession: { () throws(RepositoryError) in try readers.makeSession() },
                look: { live in
                    if let writer { writer.look(live) } else { live.lookAnew() }
                })
        } else {
            // In memory there is one connection, and nobody else who could commit.
            live = LiveEngine(
                queue: writer?.queue ?? DispatchQueue(label: "SignalRepository.live"), gate: gate, watch: nil,
                openSession: { () throws(RepositoryError) in
                    guard let writer else { throw .closed }
                    return writer.session
                },
                look: { _ in })
        }
    }
}

extension Engine {
    /// Runs one attach of a reading endpoint.
    func read<Output: Sendable>(
        _ sink: Sink<Output, RepositoryError>, _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) {
        OneShot(sink).start { shot in
            guard lifecycle.enter() else { return shot.finish(.failure(.closed)) }
            submitRead { [self] session in
                if !shot.cancellation.isCancelled {
                    shot.finish(session.flatMap { $0.read(shot.cancellation, body) })
                }
                leave()
            }
        }
    }

    /// Runs one attach of a writing endpoint.
    func write<Output: Sendable>(
        _ sink: Sink<Output, RepositoryError>, author: String?,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) {
        OneShot(sink).start { shot in
            guard lifecycle.enter() else { return shot.finish(.failure(.closed)) }
            guard let writer else {
                shot.finish(.failure(.readOnly(detail: "the repository was opened for reading only")))
                return leave()
            }
            writer.queue.async { [self] in
                if !shot.cancellation.isCancelled {
                    let transaction = WriteTransaction(writer.session, shot.cancellation, author: author)
                    shot.finish(writer.perform(transaction, live: live, body))
                }
                leave()
            }
        }
    }

    /// Runs one attach of a live query.
    func follow<Output: Sendable & Equatable>(
        _ sink: Sink<Committed<Output>, RepositoryError>, _ query: LiveQuery<Output>
    ) {
        let node = RerunNode(query, sink)
        sink.receive(
            upstream: Upstream(
                request: { node.request($0) },
                cancel: { [live] in
                    node.cancel()
                    live.remove(node)
                }))
        guard !node.cancellation.isCancelled else { return }
        if !lifecycle.isOpen || !live.add(node) { node.fail(.closed) }
    }

    /// Runs one attach of a signal of changes.
    func followChanges(_ sink: Sink<ChangeSet, RepositoryError>, _ request: ChangeRequest) {
        let listener = ChangeListener(request, sink, hearsOthersOnly: writer == nil)
        sink.receive(
            upstream: Upstream(
                request: { listener.request($0) },
                cancel: { [live, writer] in
                    listener.cancel()
                    live.remove(listener)
                    writer?.queue.async { writer?.changes.remove(listener) }
                }))
        guard !listener.cancellation.isCancelled else { return }
        guard ChangeCapture.isAvailable else { return listener.fail(ChangeCapture.unavailable) }
        guard lifecycle.isOpen, live.add(listener) else { return listener.fail(.closed) }
        writer?.queue.async { [writer] in writer?.changes.add(listener) }
    }

    /// Begins to close; see `Repository.close()`.
    func close() {
        if lifecycle.close() { tearDown() }
    }

    /// Calls `action` once everything is closed.
    func whenClosed(_ action: @escaping @Sendable () -> Void) {
        lifecycle.whenClosed(action)
    }

    private func submitRead(_ work: @escaping ReaderPool.Work) {
        if let readers {
            readers.submit(work)
        } else if let writer {
            writer.queue.async { work(.success(writer.session)) }
        } else {
            work(.failure(.closed))
        }
    }

    private func leave() {
        if lifecycle.leave() { tearDown() }
    }

    /// Ends the live queries, then closes the readers, then the writer.
    private func tearDown() {
        live.close { [self] in
            readers?.close()
            guard let writer else { return lifecycle.closed() }
            writer.queue.async { [self] in
                writer.close()
                lifecycle.closed()
            }
        }
    }
}
