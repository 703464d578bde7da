/// The outbox of a sink whose values are made on request, on the delivery threads.
///
/// One value is made ahead of the requests, so that the run ends right after its last value, without another request.
package final class PulledOutbox<Value: Sendable, Failure: Error>: Outbox, @unchecked Sendable {
    /// The source of the values.
    ///
    /// One thread at a time uses it.
    package struct Source {
        fileprivate let next: () throws(Failure) -> Value?
        fileprivate let close: () -> Void

        package init(next: @escaping () throws(Failure) -> Value?, close: @escaping () -> Void) {
            (self.next, self.close) = (next, close)
        }
    }

    private struct State {
        var isStarted = false
        /// The open source; nil while a thread uses the source.
        var source: Source?
        /// Whether a thread uses the source.
        ///
        /// If the run ends in the meantime, that thread closes the source.
        var isInUse = false
        /// Whether no more values are made.
        ///
        /// The thread that sets this closes the source, unless the source is in use.
        var isOver = false
        /// The failure, which is delivered before any waiting value.
        var failure: Failure?

        /// Stops making values; returns whether the caller must close the source.
        mutating func end() -> Bool {
            defer { isOver = true }
            return !isOver && isStarted && !isInUse
        }
    }

    // Safe because the sink and the value are used only by the busy thread, or by the thread that releases them.
    private var sink: Sink<Value, Failure>?
    private var ahead = Slot()
    private let state = Lock(State())
    /// The check that one thread at a time uses the source.
    private let confinement = Confinement()
    private let open: @Sendable () throws(Failure) -> Source
    private let ended: @Sendable () -> Void

    /// Creates an outbox.
    ///
    /// A delivery thread calls `open` for the first value, and `ended` once the source is closed.
    package init(
        _ sink: Sink<Value, Failure>, open: @escaping @Sendable () throws(Failure) -> Source,
        ended: @escaping @Sendable () -> Void
    ) {
        (self.sink, self.open, self.ended) = (sink, open, ended)
        super.init(isHeld: false)
    }

    deinit { ahead.empty(of: Value.self) }

    /// Begins to make values; must be called once, even after a cancel.
    package func start() {
        let isOver = state.withLock { state in
            state.isStarted = true
            return state.isOver
        }
        if isOver { Delivery.schedule { self.closeSource() } }
        notify()
    }

    package override func cancel() {
        if close() { endSource() }
    }

    /// Ends the run with a failure, which is delivered before any waiting value.
    ///
    /// The source is closed even during a delivery, since the called sink may wait for the source to close.
    package func fail(_ failure: Failure) {
        state.withLock { $0.failure = $0.failure ?? failure }
        endSource()
        notify()
    }

    override var isReady: Bool {
        let (isStarted, isFailed) = state.withLock { ($0.isStarted, $0.failure != nil) }
        return isStarted && (isFailed || ahead.isEmpty || demand.current.needed > .none)
    }

    override func step() -> Bool {
        assertBusy()
        do throws(Failure) {
            let (isStarted, failure) = state.withLock { ($0.isStarted, $0.failure) }
            guard isStarted else { return false }
            if let failure { throw failure }
            if ahead.isEmpty {
                guard let value = try next() else { return finish(.finished) }
                ahead.fill(value)
                return true
            }
        } catch {
            return finish(.failure(error))
        }
        guard demand.takeNeeded() else { return false }
        let more = sink?.receive(ahead.take(as: Value.self)) ?? .none
        if more > .none { demand.add(more) }
        return true
    }

    private func finish(_ completion: Completion<Failure>) -> Bool {
        if state.withLock({ $0.end() }) { closeSource() }
        if close() {
            // If `fail` has interrupted the source, the failure of that call replaces the error that the source throws.
            let failure = state.withLock { $0.failure }
            sink?.receive(completion: failure.map { .failure($0) } ?? completion)
        }
        return false
    }

    private func next() throws(Failure) -> Value? {
        let (isOver, stored) = state.withLock { state -> (Bool, Source?) in
            // The run is over, and another thread closes the source or has closed it.
            if state.isOver { return (true, nil) }
            state.isInUse = true
            return (false, state.source.take())
        }
        if isOver { return nil }
        var source = stored
        defer { leaveSource(source) }
        return try confinement.during { () throws(Failure) in
            let opened = if let source { source } else { try open() }
            source = opened
            return try opened.next()
        }
    }

    /// Keeps the source until the next value, or closes it if the run is over.
    private func leaveSource(_ source: Source?) {
        let isOver = state.withLock { state in
            (state.source, state.isInUse) = (source, false)
            return state.isOver
        }
        if isOver { closeSource() }
    }

    private func endSource() {
        if state.withLock({ $0.end() }) { Delivery.schedule { self.closeSource() } }
    }

    private func closeSource() {
        let source = state.withLock { $0.source.take() }
        confinement.during { source?.close() }
        ended()
    }

    override func release() {
        sink = nil
        ahead.empty(of: Value.self)
    }
}
