import Synchronization

/// The outbox of a sink that receives the result of one piece of work: one value or a failure.
///
/// A failure needs no demand. An unwanted result is released on a thread that calls sinks; only work that is repeated
/// releases its earlier result itself. The class is not generic, so that the code that does the work is the same for
/// all types.
package class OneOutbox: Outbox, @unchecked Sendable {
    enum Outcome: UInt8, AtomicRepresentable {
        case none
        case value
        case failure
        /// The sink has been released, or is about to be.
        case gone
    }

    // Safe because the failure, and the value of a subclass, belong to the working thread until it has stored the
    // outcome. After that, they belong to the busy thread, or to the thread that releases them.
    private let outcome = Atomic(Outcome.none)
    private var failure: (any Error)?

    /// Calls the sink with the value.
    func deliver() {}

    func deliver(end failure: (any Error)?) {}

    /// Releases the result of the work.
    func discard() {}

    /// Gives the sink its upstream, and then starts the work, unless the sink has cancelled.
    ///
    /// If the current thread waits for the run, it delivers the result itself.
    package final func start(_ onUpstream: (Upstream) -> Void, _ work: (OneOutbox) -> Void) {
        let isHeld = ThreadContext.isWaiting
        onUpstream(upstream)
        if !isClosed { work(self) }
        if isHeld { endHold() }
    }

    /// Ends the run with the value that the work has stored, unless the run has already ended, failed or been refused.
    ///
    /// `Executor.deliver` decides which thread delivers the value.
    package final func finish() { end(.value) { Executor.deliver($0) } }

    package final func fail(_ error: any Error) {
        failure = error
        end(.failure) { Executor.deliver($0) }
    }

    /// Fails the run without running its work, and delivers the failure on another thread.
    ///
    /// This thread may wait for the run inside other work. `Executor.deliver` would deliver only after that work.
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
        // Work that is still in progress will find `gone`, and discard its result.
        if outcome.exchange(.gone, ordering: .acquiringAndReleasing) != .none { discardAll() }
    }

    private func discardAll() {
        failure = nil
        discard()
    }
}

/// The outbox of a sink that receives a value of type `Value`.
///
/// It is the only object of a run that knows this type.
package final class OneValueOutbox<Value>: OneOutbox, @unchecked Sendable {
    // Safe because, as in the superclass, one thread at a time owns the value and the error. The closures are used only
    // by the busy thread, or by the thread that releases them.
    @exclusivity(unchecked) private var sink:
        (onValue: (@Sendable (Value) -> Demand)?, onEnd: (@Sendable ((any Error)?) -> Void)?)
    @exclusivity(unchecked) private var value = Slot()
    private var thrown: (any Error)?

    /// Creates an outbox.
    ///
    /// If the current thread waits for the run, only this thread delivers until `start` ends.
    package init(
        onValue: @escaping @Sendable (Value) -> Demand, onEnd: @escaping @Sendable (_ failure: (any Error)?) -> Void
    ) {
        sink = (onValue, onEnd)
        super.init(isHeld: ThreadContext.isWaiting)
    }

    deinit { value.empty(of: Value.self) }

    /// Runs `body` and keeps its result or error; if the work is repeated, discards the earlier result or error.
    package func fill(_ body: () throws -> Value) throws {
        discard()
        do {
            value.fill(try body())
        } catch {
            thrown = error
            throw error
        }
    }

    /// Ends the run with a value that did not come from `fill`.
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
