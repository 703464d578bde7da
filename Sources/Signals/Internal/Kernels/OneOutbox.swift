import Synchronization

/// The outbox of a sink that gets one value, or a failure: the end of one piece of work.
///
/// A failure needs no demand. A result that nobody wants is released where sinks are called, never inside the work. The
/// class is not generic, so that the code which does the work is the same for all types.
package class OneOutbox: Outbox, @unchecked Sendable {
    enum Outcome: UInt8, AtomicRepresentable {
        case none
        case value
        case failure
        /// The sink has been released, or is about to be.
        case gone
    }

    // Safe because the failure, and the value of a subclass, belong to the thread that works until it has stored the
    // outcome, and then to the busy thread or the one that releases.
    private let outcome = Atomic(Outcome.none)
    private var failure: (any Error)?

    /// Calls the sink with the value.
    func deliver() {}

    func deliver(end failure: (any Error)?) {}

    /// Releases what the work has made.
    func discard() {}

    /// Gives the sink its upstream, and starts the work, unless it is cancelled.
    ///
    /// A thread that waits delivers the result itself.
    package final func start(_ onUpstream: (Upstream) -> Void, _ work: (OneOutbox) -> Void) {
        let isHeld = ThreadContext.isWaiting
        onUpstream(upstream)
        if !isClosed { work(self) }
        if isHeld { endHold() }
    }

    /// Takes the value that the work has stored; the run ends once, in one of these ways or as it is refused.
    ///
    /// Inside a piece of work of an executor, it is delivered once the thread has left that.
    package final func finish() { end(.value) { Executor.deliver($0) } }

    package final func fail(_ error: any Error) {
        failure = error
        end(.failure) { Executor.deliver($0) }
    }

    /// Fails the run without doing its work, at once: the thread may wait for it inside another piece of work.
    package final func refuse(_ error: any Error) {
        failure = error
        end(.failure) { Delivery.schedule($0) }
    }

    final func end(_ new: Outcome, _ deliver: (@escaping @Sendable () -> Void) -> Void) {
        let (isFirst, _) = outcome.compareExchange(
            expected: .none, desired: new, ordering: .acquiringAndReleasing)
        if !isFirst { return deliver { self.discardAll() } }
        if claim() { deliver { self.run() } }
    }

    override final var isReady: Bool {
        switch outcome.load(ordering: .acquiring) {
        case .value: demand.current.needed > .none
        case .failure: true
        case .none, .gone: false
        }
    }

    override final func step() -> Bool {
        assertBusy()
        switch outcome.load(ordering: .acquiring) {
        case .value where demand.takeNeeded():
            deliver()
            if close() { deliver(end: nil) }
        case .failure: if close() { deliver(end: failure) }
        case .none, .value, .gone: break
        }
        return false
    }

    override func release() {
        // The work that goes on finds its outcome not wanted.
        if outcome.exchange(.gone, ordering: .acquiringAndReleasing) != .none { discardAll() }
    }

    private func discardAll() {
        failure = nil
        discard()
    }
}

/// The outbox of a sink that takes a value of this type: the one object of a run that knows it.
package final class OneValueOutbox<Value>: OneOutbox, @unchecked Sendable {
    // Safe because, as in the superclass, one thread at a time has the value and the error, and the closures belong to
    // the busy thread, or the one that releases.
    @exclusivity(unchecked) private var sink:
        (onValue: (@Sendable (Value) -> Demand)?, onEnd: (@Sendable ((any Error)?) -> Void)?)
    @exclusivity(unchecked) private var value = Slot()
    private var thrown: (any Error)?

    /// Makes an outbox; that of a thread that waits is held until `start` ends.
    package init(
        onValue: @escaping @Sendable (Value) -> Demand, onEnd: @escaping @Sendable (_ failure: (any Error)?) -> Void
    ) {
        sink = (onValue, onEnd)
        super.init(isHeld: ThreadContext.isWaiting)
    }

    deinit { value.empty(of: Value.self) }

    /// Runs `body` and keeps what it returns or throws; again, in the place of the last time, if work is repeated.
    package func fill(_ body: () throws -> Value) throws {
        discard()
        do {
            value.fill(try body())
        } catch {
            thrown = error
            throw error
        }
    }

    /// Takes a value that is not that of a piece of work.
    package func finish(with value: consuming Value) {
        self.value.fill(value)
        end(.value) { Delivery.schedule($0) }
    }

    override func deliver() { _ = sink.onValue?(value.take(as: Value.self)) }

    override func deliver(end failure: (any Error)?) { sink.onEnd?(failure) }

    override func discard() {
        value.empty(of: Value.self)
        thrown = nil
    }

    override func release() {
        super.release()
        sink = (nil, nil)
    }
}
