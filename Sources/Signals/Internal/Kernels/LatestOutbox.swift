import Synchronization

/// The outbox of a sink that follows a `LatestSource`.
///
/// A slow sink misses values, but always gets the latest one.
///
/// The class is not generic, so that one list can hold outboxes of all value types. In a generic class, looking up the
/// type at each delivery would take as long as the delivery itself.
package class LatestOutbox: Outbox, @unchecked Sendable {
    private enum Membership {
        static let none: UInt8 = 0
        static let follows: UInt8 = 1
        /// The outbox was cancelled before it followed a source.
        static let refused: UInt8 = 2
    }

    private struct State {
        var source: LatestSource?
        /// The last value that was delivered.
        var delivered: (any LatestSource.Box)?
        /// The version of the last delivered value; before the first delivery, the bitwise complement of the source's
        /// `sendCount` at `follow`.
        var seenVersion = -1

        /// Whether `latest` has a value that the sink has not received.
        func misses(_ latest: LatestSource.Latest) -> Bool {
            seenVersion < 0 ? latest.sendCount > ~seenVersion : latest.version > seenVersion
        }
    }

    // Safe because `follow` sets the fields before `membership` publishes them. Afterwards, `source` is only read, and
    // the rest is used only by the busy thread, or by the thread that releases it.
    @exclusivity(unchecked) private final var state = State()

    /// Calls the sink with a value; returns the demand that the sink adds.
    func deliver(_ box: any LatestSource.Box) -> Demand { .none }

    func deliver(failure: any Error) {}

    override func release() { state.delivered = nil }

    /// Begins to follow a source, from the next value that is sent; called by one thread at a time.
    ///
    /// Returns false if the outbox is cancelled or already follows a source, or if all followers have left the source.
    package final func follow(_ source: LatestSource) -> Bool {
        guard membership.load(ordering: .acquiring) == Membership.none, source.enter() else { return false }
        (state.source, state.seenVersion) = (source, ~source.latest.sendCount)
        let (follows, _) = membership.compareExchange(
            expected: Membership.none, desired: Membership.follows, ordering: .acquiringAndReleasing)
        if !follows { source.leave(nil) }
        return follows
    }

    /// Fails a run that has not followed a source.
    package final func fail(_ error: any Error) {
        if follow(LatestSource(failure: error)) { notify() }
    }

    /// The followed source; nil before `follow`.
    ///
    /// It is kept after the end, because other threads may still use it.
    package final var followed: LatestSource? {
        membership.load(ordering: .acquiring) == Membership.follows ? state.source : nil
    }

    /// Ends the run, and leaves the source.
    package override final func cancel() {
        guard close() else { return }
        let (refused, _) = membership.compareExchange(
            expected: Membership.none, desired: Membership.refused, ordering: .acquiringAndReleasing)
        if !refused { state.source?.leave(self) }
    }

    final var hasDemand: Bool { demand.current > .none }

    override final var isReady: Bool {
        guard let latest = followed?.latest else { return false }
        return latest.failure != nil || hasDemand && state.misses(latest)
    }

    override final func step() -> Bool {
        guard let source = followed else { return false }
        // The demand is read before the value, so that the value is no older than the request.
        let canDeliver = hasDemand
        let latest = source.latest
        if canDeliver, state.misses(latest), let box = latest.box {
            guard let delivered = state.delivered, latest.version > state.seenVersion + 1,
                source.isSame(delivered, box)
            else { return pass(box, latest.version) }
            (state.seenVersion, state.delivered) = (latest.version, box)
            return true
        }
        if let failure = latest.failure, close() { deliver(failure: failure) }
        return false
    }

    private func pass(_ box: any LatestSource.Box, _ version: Int) -> Bool {
        assertBusy()
        guard demand.takeOne() else { return false }
        (state.seenVersion, state.delivered) = (version, box)
        let more = deliver(box)
        if more > .none { demand.add(more) }
        return true
    }

    /// Delivers a value of the source.
    ///
    /// If another thread is in the outbox, that thread fetches the value instead.
    final func tryDeliver(_ box: any LatestSource.Box, _ version: Int, of source: LatestSource) {
        guard tryEnter() else { return }
        if hasDemand, !isClosed {
            // If the sink has missed a value, `step` compares values. If the source has a later value, `step` delivers
            // that one. The demand is read before the version, so that the value is no older than the request.
            let isNext = state.seenVersion < 0 || version == state.seenVersion + 1
            guard isNext, source.isLatest(version) else { return deliverAll() }
            _ = pass(box, version)
        }
        if !leave() { deliverAll() }
    }
}

/// The outbox of a sink that receives values without their numbers.
package final class LatestValueOutbox<Value: Sendable, Failure: Error>: LatestOutbox, @unchecked Sendable {
    // Safe because, as in the superclass, `sink` is used only by the busy thread, or by the thread that releases it. It
    // holds closures instead of the whole sink, because only these closures are called.
    @exclusivity(unchecked) private var sink:
        ((@Sendable (Value) -> Demand)?, (@Sendable (Completion<Failure>) -> Void)?)

    package init(_ sink: Sink<Value, Failure>, isHeld: Bool = false) {
        self.sink = (sink.onValue, sink.onCompletion)
        super.init(isHeld: isHeld)
    }

    override func deliver(_ box: any LatestSource.Box) -> Demand {
        // Safe because a follower of a source knows the type of the source's values. The cast is written out here,
        // because a function of the generic class would look up the class's type.
        sink.0?(unsafeDowncast(box, to: NumberedValue<Value>.self).value) ?? .none
    }

    override func deliver(failure: any Error) {
        if let failure = failure as? Failure { sink.1?(.failure(failure)) }
    }

    override func release() {
        super.release()
        sink = (nil, nil)
    }
}

/// The outbox of a sink that receives each value with its number.
package final class NumberedOutbox<Value: Sendable, Failure: Error>: LatestOutbox, @unchecked Sendable {
    // Safe because, as in the superclass, only the busy thread, or the thread that releases them, uses the closures.
    private var onValue: (@Sendable (Int, Value) -> Demand)?
    private var onCompletion: (@Sendable (Completion<Failure>) -> Void)?

    package init(
        isHeld: Bool = false, onValue: @escaping @Sendable (Int, Value) -> Demand,
        onCompletion: @escaping @Sendable (Completion<Failure>) -> Void
    ) {
        (self.onValue, self.onCompletion) = (onValue, onCompletion)
        super.init(isHeld: isHeld)
    }

    override func deliver(_ box: any LatestSource.Box) -> Demand {
        // Safe because a follower of a source knows the type of the source's values.
        let opened = unsafeDowncast(box, to: NumberedValue<Value>.self)
        return onValue?(opened.number, opened.value) ?? .none
    }

    override func deliver(failure: any Error) {
        if let failure = failure as? Failure { onCompletion?(.failure(failure)) }
    }

    override func release() {
        super.release()
        (onValue, onCompletion) = (nil, nil)
    }
}
