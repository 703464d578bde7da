import Synchronization

/// The outbox of a sink that follows a `LatestSource`: a sink that is slow misses values, and gets the latest.
///
/// Its form does not depend on the type of the values, so that a list can hold all kinds, and nobody has to ask for the
/// type at each step: that takes as long as a delivery.
package class LatestOutbox: Outbox, @unchecked Sendable {
    private enum Membership {
        static let none: UInt8 = 0
        static let follows: UInt8 = 1
        /// Cancelled before it could follow anything.
        static let refused: UInt8 = 2
    }

    private struct State {
        var source: LatestSource?
        /// The last value that was delivered.
        var delivered: (any LatestSource.Letter)?
        /// How many changes there had been by then; before the first value, the complement of how many values the
        /// source had sent before it was followed.
        var seen = -1

        /// Whether there is a value that the sink does not have.
        func misses(_ latest: LatestSource.Latest) -> Bool {
            seen < 0 ? latest.count > ~seen : latest.changes > seen
        }
    }

    // Safe because `index` belongs to the owner of a list, `source` and `seen` are set before `membership` says so and
    // are not read before, and the rest is touched by the busy thread.
    /// The position in a list of followers, or -1.
    package final var index: Int32 = -1
    private let membership = Atomic(Membership.none)
    @exclusivity(unchecked) private final var state = State()

    /// Calls the sink with a value; returns what it requests.
    func deliver(_ letter: any LatestSource.Letter) -> Demand { .none }

    /// Calls the sink with a failure.
    func deliver(failure: any Error) {}

    override func release() { state.delivered = nil }

    /// Begins to follow a source, from the next value that is sent; called by one thread at a time.
    ///
    /// False if it has been cancelled, follows already, or all others have left.
    package final func follow(_ source: LatestSource) -> Bool {
        guard membership.load(ordering: .acquiring) == Membership.none, source.enter() else { return false }
        (state.source, state.seen) = (source, ~source.latest.count)
        let (follows, _) = membership.compareExchange(
            expected: Membership.none, desired: Membership.follows, ordering: .acquiringAndReleasing)
        if !follows { source.leave(nil) }
        return follows
    }

    /// Fails a run that follows nothing yet.
    package final func fail(_ error: any Error) {
        if follow(LatestSource(failure: error)) { notify() }
    }

    /// The source, once it is followed; kept after the end, since other threads may be on their way to it.
    package final var followed: LatestSource? {
        membership.load(ordering: .acquiring) == Membership.follows ? state.source : nil
    }

    /// Ends the run for the sink, and has the source forget it.
    package override final func cancel() {
        guard close() else { return }
        let (refused, _) = membership.compareExchange(
            expected: Membership.none, desired: Membership.refused, ordering: .acquiringAndReleasing)
        if !refused { state.source?.leave(self) }
    }

    /// Whether a value would be delivered at once.
    final var isWanting: Bool { demand.current > .none }

    override final var isReady: Bool {
        guard let latest = followed?.latest else { return false }
        return latest.failure != nil || isWanting && state.misses(latest)
    }

    override final func step() -> Bool {
        guard let source = followed else { return false }
        let latest = source.latest
        if isWanting, state.misses(latest), let letter = latest.letter {
            guard let delivered = state.delivered, latest.changes > state.seen + 1, source.isSame(delivered, letter)
            else { return pass(letter, latest.changes) }
            (state.seen, state.delivered) = (latest.changes, letter)
            return true
        }
        if let failure = latest.failure, close() { deliver(failure: failure) }
        return false
    }

    private func pass(_ letter: any LatestSource.Letter, _ changes: Int) -> Bool {
        assertBusy()
        guard demand.takeOne() else { return false }
        (state.seen, state.delivered) = (changes, letter)
        let more = deliver(letter)
        if more > .none { demand.add(more) }
        return true
    }

    /// Delivers a value that the source has just sent, unless another thread is in the sink, which then looks for it.
    final func offer(_ letter: any LatestSource.Letter, _ changes: Int) {
        guard tryEnter() else { return }
        // One that has missed a value compares the two.
        if state.seen >= 0, changes > state.seen + 1 { return work() }
        if changes > state.seen, !isClosed { _ = pass(letter, changes) }
        if !leave() { work() }
    }
}

/// The outbox of a sink that takes values of a known type, with their numbers or without.
package final class LatestValueOutbox<Value: Sendable, Failure: Error>: LatestOutbox, @unchecked Sendable {
    /// Closures instead of the sink: those are what is called.
    private enum Receiver {
        case values(@Sendable (Value) -> Demand)
        case numbered(@Sendable (Int, Value) -> Demand)
        case none
    }

    // Safe because, as in the superclass, only the busy thread touches it, or the one that releases.
    @exclusivity(unchecked) private var sink: (receiver: Receiver, end: (@Sendable (Completion<Failure>) -> Void)?)

    package init(_ sink: Sink<Value, Failure>, isHeld: Bool = false) {
        self.sink = (.values(sink.onValue), sink.onCompletion)
        super.init(isHeld: isHeld)
    }

    /// The outbox of a sink that takes each value with its number.
    package init(
        isHeld: Bool = false, onValue: @escaping @Sendable (Int, Value) -> Demand,
        onCompletion: @escaping @Sendable (Completion<Failure>) -> Void
    ) {
        sink = (.numbered(onValue), onCompletion)
        super.init(isHeld: isHeld)
    }

    override func deliver(_ letter: any LatestSource.Letter) -> Demand {
        // Safe because who follows a source knows the type of its values. Written here: a function of the generic class
        // would ask for its type first.
        let opened = unsafeDowncast(letter, to: LatestValue<Value>.self)
        switch sink.receiver {
        case .values(let receive): return receive(opened.value)
        case .numbered(let receive): return receive(opened.number, opened.value)
        case .none: return .none
        }
    }

    override func deliver(failure: any Error) {
        if let failure = failure as? Failure { sink.end?(.failure(failure)) }
    }

    override func release() {
        super.release()
        sink = (.none, nil)
    }
}
