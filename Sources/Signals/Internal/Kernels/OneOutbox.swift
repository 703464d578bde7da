import Synchronization

/// The outbox of a sink that gets one value, or a failure: the end of one piece of work.
///
/// A failure needs no demand. What nobody wants is released where sinks are called, never where it was made.
/// Not generic, so that what does the work is the same for all types.
package class OneOutbox: Outbox, @unchecked Sendable {
    private enum Outcome: UInt8, AtomicRepresentable {
        case none
        case value
        case failure
        /// The sink has been released, or is about to be.
        case gone
    }

    // Safe because the failure, and the value of a subclass, are touched by the thread that works until it has stored
    // its outcome, and then by the busy thread or the one that releases.
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

    /// Takes the value that the work has stored; one of `finish` and `fail` is called, once.
    package final func finish() { end(.value) }

    package final func fail(_ error: any Error) {
        failure = error
        end(.failure)
    }

    private func end(_ new: Outcome) {
        let (isFirst, _) = outcome.compareExchange(
            expected: .none, desired: new, ordering: .acquiringAndReleasing)
        if !isFirst { return Executor.deliver { self.discardAll() } }
        if claim() { Executor.deliver { self.run() } }
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

    /// Takes the value that the work has come to.
    package func finish(with value: consuming Value) {
        self.value.fill(value)
        finish()
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
