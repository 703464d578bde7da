import Synchronization

/// The end of a run whose values are made on one thread and delivered on another: decides which thread calls the sink,
/// and releases the sink once.
///
/// ```
///   idle ──notify──▶ due ──enter──▶ busy ──leave──▶ idle
///                     ▲               │ ▲
///                     │        notify │ │ leave finds `due`, and the thread checks again
///                     │               ▼ │
///                     └──hand over── busy, due
/// ```
/// A thread can also enter an idle outbox to deliver one value, and hand over before another thread has notified.
/// `closed` can be added to any of these states, and is final. If no thread is busy, the thread that closes releases
/// the sink; otherwise the busy thread does, as it leaves. Every event is stored before `notify`.
package class Outbox: @unchecked Sendable {
    // Safe because the fields of subclasses that are neither locks nor atomics are used by the busy thread, or by the
    // one that releases, which is the last; `assertBusy` checks that some thread is busy.
    private static let due: UInt8 = 1
    private static let busy: UInt8 = 2
    private static let closed: UInt8 = 4

    private let phase: Atomic<UInt8>
    /// For `LatestOutbox`, like `index`: declared here, both fit into padding.
    final let membership = Atomic<UInt8>(0)
    /// The index in a list, or -1; only the owner of that list uses it.
    package final var index: Int32 = -1
    final let demand = DemandCounter()

    /// Creates an outbox; if it is held, only the thread that made it delivers, until `endHold()`.
    init(isHeld: Bool) { phase = Atomic(isHeld ? Self.busy : 0) }

    /// Whether `step` has something to do; calls no foreign code.
    var isReady: Bool { false }

    /// Handles at most one event, under no lock; false if none is left to handle.
    func step() -> Bool { false }

    /// Releases the sink, and the values that wait only for it; called once.
    func release() {}

    /// Whether the run has ended, or ends with the delivery in progress.
    package final var isClosed: Bool { phase.load(ordering: .relaxed) & Self.closed != 0 }
    /// Whether no thread is in the outbox, or about to enter it.
    package final var isIdle: Bool { phase.load(ordering: .acquiring) == 0 }

    package final var upstream: Upstream { Upstream(request: { self.request($0) }, cancel: { self.cancel() }) }

    /// Reports that something was stored; schedules its delivery if needed.
    package final func notify() {
        if claim() { Delivery.schedule { self.run() } }
    }

    /// Like `notify`, but returns true if the caller must schedule `run`.
    package final func claim() -> Bool {
        let (old, _) = phase.bitwiseOr(Self.due, ordering: .acquiringAndReleasing)
        // Another thread is in the outbox, or about to enter it.
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

    /// Ends the hold, and delivers the events that arrived during it.
    package final func endHold() { deliverAll() }

    final func deliverAll() {
        repeat {
            while !isClosed, step() {}
        } while !leave()
    }

    /// Enters an idle outbox to deliver one value; `leave` must follow.
    ///
    /// Returns false if the outbox is closed, if a thread is busy, which then checks again, or if there is a
    /// notification, which this call serves.
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

    /// Stops being the busy thread; false if there was a notification, and it must check again.
    final func leave(releasesHere: Bool = true) -> Bool {
        let next = leave(releasesHere) { old in
            old & Self.closed != 0 ? Self.closed : old & Self.due != 0 ? Self.busy : 0
        }
        return next != Self.busy
    }

    /// Stops being the busy thread, so that another one delivers; false if the outbox is closed.
    private func handOver() -> Bool {
        leave(false) { old in old & Self.closed != 0 ? Self.closed : Self.due } == Self.due
    }

    /// Without `releasesHere`, the thread is one that makes values, where the sink must not be released.
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

    /// In debug builds, traps if no thread is busy.
    final func assertBusy() {
        assert(phase.load(ordering: .relaxed) & Self.busy != 0, "A thread calls the sink without entering the outbox.")
    }
}
