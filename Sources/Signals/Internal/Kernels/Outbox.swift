import Synchronization

/// The end of a run whose values are made on one thread and delivered on another: decides which thread is in the sink,
/// and releases the sink once.
///
/// ```
///   idle ──notify──▶ due ──enter──▶ busy ──leave──▶ idle
///                     ▲               │ ▲
///                     │        notify │ │ leave finds `due`, and the thread looks again
///                     │               ▼ │
///                     └──hand over── busy, due
/// ```
/// A thread can also enter an idle outbox to deliver one value, and hand over before anybody else has notified.
/// `closed` is added to any of these states, and stays. If no thread is busy, the one that closes releases the sink;
/// otherwise the busy one does, as it leaves. Whatever there is to deliver is stored before `notify`.
package class Outbox: @unchecked Sendable {
    // Safe because the fields of subclasses that are neither locks nor atomics are touched by the busy thread, or by
    // the one that releases, which is the last; `assertBusy` checks that some thread is busy.
    private static let due: UInt8 = 1
    private static let busy: UInt8 = 2
    private static let closed: UInt8 = 4

    private let phase: Atomic<UInt8>
    /// Of a `LatestOutbox`, as `index` is: here the two take no room.
    final let membership = Atomic<UInt8>(0)
    /// The position in a list, or -1; it belongs to the owner of that list.
    package final var index: Int32 = -1
    final let demand = DemandCounter()

    /// An outbox that is held leaves everything to the thread that has made it, until `endHold()`.
    init(isHeld: Bool) { phase = Atomic(isHeld ? Self.busy : 0) }

    /// Whether `step` has something to do; calls no foreign code.
    var isReady: Bool { false }

    /// Handles at most one event, under no lock; false if none is left to handle.
    func step() -> Bool { false }

    /// Releases the sink, and the values that wait for it alone; called once.
    func release() {}

    /// Whether the run has ended, or is about to with the delivery in progress.
    package final var isClosed: Bool { phase.load(ordering: .relaxed) & Self.closed != 0 }
    /// Whether no thread is in it, or on its way.
    package final var isIdle: Bool { phase.load(ordering: .acquiring) == 0 }

    package final var upstream: Upstream { Upstream(request: { self.request($0) }, cancel: { self.cancel() }) }

    /// Reports that something was stored; schedules its delivery if needed.
    package final func notify() {
        if claim() { Delivery.schedule { self.run() } }
    }

    /// Like `notify`, but returns true where the caller must have `run` called.
    package final func claim() -> Bool {
        let (old, _) = phase.bitwiseOr(Self.due, ordering: .acquiringAndReleasing)
        // Another thread is in the outbox, or is on its way.
        if old != 0 || !enterDue() { return false }
        repeat {
            if isReady { return handOver() }
        } while !leave(releasesHere: false)
        return false
    }

    package final func request(_ more: Demand) {
        if more > .none, demand.add(more) != nil { notify() }
    }

    package func cancel() { close() }

    /// Ends the run, except for a delivery in progress; returns whether this call did.
    @discardableResult
    final func close() -> Bool {
        let (old, _) = phase.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing)
        if old & Self.closed != 0 { return false }
        demand.close()
        if old & Self.busy == 0 { release() }
        return true
    }

    /// Delivers what is due, if no other thread has begun to.
    package final func run() {
        if enterDue() { deliverAll() }
    }

    /// Delivers what came while the outbox was held, and holds it no longer.
    package final func endHold() { deliverAll() }

    final func deliverAll() {
        repeat {
            while !isClosed, step() {}
        } while !leave()
    }

    /// Enters an idle outbox to deliver one value; `leave` must follow.
    ///
    /// False if a thread is busy, which then looks again. A notification that is found is taken over, and everything is
    /// delivered here.
    final func tryEnter() -> Bool {
        if move(from: 0, to: Self.busy) { return true }
        takeOver()
        return false
    }

    private func takeOver() {
        while true {
            let (old, _) = phase.bitwiseOr(Self.due, ordering: .acquiringAndReleasing)
            if old & (Self.busy | Self.closed) != 0 { return }
            if enterDue() { return deliverAll() }
        }
    }

    private func enterDue() -> Bool { move(from: Self.due, to: Self.busy) }

    private func move(from old: UInt8, to new: UInt8) -> Bool {
        phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }

    /// Stops being the busy thread; false if something came in between, and it must look again.
    final func leave(releasesHere: Bool = true) -> Bool {
        let next = leave(releasesHere) { old in
            old & Self.closed != 0 ? Self.closed : old & Self.due != 0 ? Self.busy : 0
        }
        return next != Self.busy
    }

    /// Stops being the busy thread for another to deliver; false if the outbox is closed.
    private func handOver() -> Bool {
        leave(false) { old in old & Self.closed != 0 ? Self.closed : Self.due } == Self.due
    }

    /// A thread that only looks is one of those that make the values, where the sink must not be released.
    @inline(__always)
    private func leave(_ releasesHere: Bool, _ next: (UInt8) -> UInt8) -> UInt8 {
        var old = Self.busy
        while true {
            let new = next(old)
            let (exchanged, found) = phase.compareExchange(
                expected: old, desired: new, ordering: .acquiringAndReleasing)
            if exchanged {
                if new == Self.closed {
                    if releasesHere { release() } else { Delivery.schedule { self.release() } }
                }
                return new
            }
            old = found
        }
    }

    /// In debug builds, ends the program if no thread is busy.
    final func assertBusy() {
        assert(phase.load(ordering: .relaxed) & Self.busy != 0, "A sink is called by a thread that is not busy.")
    }
}
