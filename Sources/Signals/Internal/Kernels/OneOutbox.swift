import Synchronization

/// The outbox of a sink that gets one value, or a failure: the end of one piece of work.
///
/// A failure needs no demand. A result that is not wanted is released where sinks are called, never inside the work.
/// The class is not generic, so that the code that does the work is the same for all types.
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

    /// Releases the result of the work.
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

    /// Ends the run with the value that the work has stored, unless it has already ended, failed or been refused.
    ///
    /// Inside the work of an executor, the value is delivered once the thread has left the executor.
    package final func finish() { end(.value) { Executor.deliver($0) } }

    package final func fail(_ error: any Error) {
        failure = error
        end(.failure) { Executor.deliver($0) }
    }

    /// Fails the run at once, without doing its work: the thread may wait for it inside other work.
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
        // Work that is still in progress finds that its outcome is not wanted.
        if outcome.exchange(.gone, ordering: .acquiringAndReleasing) != .none { discardAll() }
    }

    private func discardAll() {
        failure = nil
        discard()
    }
}

/// The outbox of a sink that takes a value of this type: the one object of a run that knows the type.
package final class OneValueOutbox<Value>: OneOutbox, @unchecked Sendable {
    // Safe because, as in the superclass, one thread at a time has the value and the error, and the closures belong to
    // the busy thread, or the one that releases.
    @exclusivity(unchecked) private var sink:
        (onValue: (@Sendable (Value) -> Demand)?, onEnd: (@Sendable ((any Error)?) -> Void)?)
    @exclusivity(unchecked) private var value = Slot()
    private var thrown: (any Error)?

    /// Creates an outbox, held until `start` ends if the thread waits.
    package init(
        onValue: @escaping @Sendable (Value) -> Demand, onEnd: @escaping @Sendable (_ failure: (any Error)?) -> Void
    ) {
        sink = (onValue, onEnd)
        super.init(isHeld: ThreadContext.isWaiting)
    }

    deinit { value.empty(of: Value.self) }

    /// Runs `body` and keeps its result or error; if work is repeated, these replace the earlier ones.
    package func fill(_ body: () throws -> Value) throws {
        discard()
        do {
            value.fill(try body())
        } catch {
            thrown = error
            throw error
        }
    }

    /// Ends the run with a value that was not made by work.
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
