import Synchronization

/// The last object of a run whose values are made on one thread and delivered on another.
///
/// It decides which thread calls the sink, and releases the sink once.
///
/// ```
///   idle ──notify──▶ due ──enter──▶ busy ──leave──▶ idle
///                     ▲               │ ▲
///                     │        notify │ │ leave finds `due`, and the thread checks again
///                     │               ▼ │
///                     └──hand over── busy, due
/// ```
/// A thread can also enter an idle outbox without a notification, to deliver one value. A busy thread can also hand
/// over without a further notification, so that another thread delivers. `closed` can be added to any of these states,
/// and is final. If no thread is busy, the thread that closes releases the sink. Otherwise, the busy thread releases
/// the sink when that thread leaves. Every event is stored before `notify`.
package class Outbox: @unchecked Sendable {
    // Safe because the fields of subclasses that are neither locks nor atomics are used only by the busy thread, and at
    // the end by the thread that releases them. `assertBusy` checks that some thread is busy.
    private static let due: UInt8 = 1
    private static let busy: UInt8 = 2
    private static let closed: UInt8 = 4

    private let phase: Atomic<UInt8>
    /// A state that only `LatestOutbox` uses.
    ///
    /// Like `index`, it is declared here because both fit into the padding of this class.
    final let membership = Atomic<UInt8>(0)
    /// The outbox's index in a list, or -1.
    ///
    /// Only the owner of the list uses it.
    package final var index: Int32 = -1
    final let demand = DemandCounter()

    /// Creates an outbox.
    ///
    /// With `isHeld`, only the thread that creates the outbox delivers until `endHold()`.
    init(isHeld: Bool) { phase = Atomic(isHeld ? Self.busy : 0) }

    /// Whether `step` has an event to handle.
    ///
    /// The check calls no foreign code.
    var isReady: Bool { false }

    /// Handles at most one event, without holding a lock; returns false if no event is left.
    func step() -> Bool { false }

    /// Releases the sink and the values that wait for it; called once.
    func release() {}

    /// Whether the run has ended, or ends with the delivery in progress.
    package final var isClosed: Bool { phase.load(ordering: .relaxed) & Self.closed != 0 }
    /// Whether no thread is in the outbox or about to enter it.
    package final var isIdle: Bool { phase.load(ordering: .acquiring) == 0 }

    package final var upstream: Upstream { Upstream(request: { self.request($0) }, cancel: { self.cancel() }) }

    /// Reports that an event was stored; schedules its delivery if needed.
    package final func notify() {
        if claim() { Delivery.schedule { self.run() } }
    }

    /// Stores a notification like `notify`, but schedules nothing; returns true if the caller must schedule `run`.
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

    /// Ends the run, except for a delivery in progress; returns whether this call ended it.
    @discardableResult
    final func close() -> Bool {
        let (old, _) = phase.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing)
        if old & Self.closed != 0 { return false }
        demand.close()
        if old & Self.busy == 0 { release() }
        return true
    }

    /// Delivers the events that are due, unless another thread has begun to deliver them.
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

    /// Enters an idle outbox to deliver one value; if it returns true, `leave` must follow.
    ///
    /// Returns false in three cases: the outbox is closed; another thread is busy and will check again; or the outbox
    /// was notified, and this call has delivered the events.
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

    /// Stops being the busy thread.
    ///
    /// Returns false if the outbox was notified in the meantime. The thread is then still busy, and must check again.
    final func leave(releasesHere: Bool = true) -> Bool {
        let next = leave(releasesHere) { old in
            old & Self.closed != 0 ? Self.closed : old & Self.due != 0 ? Self.busy : 0
        }
        return next != Self.busy
    }

    /// Stops being the busy thread, so that another thread delivers; returns false if the outbox is closed.
    private func handOver() -> Bool {
        leave(false) { old in old & Self.closed != 0 ? Self.closed : Self.due } == Self.due
    }

    /// Moves to the state that `next` returns.
    ///
    /// Without `releasesHere`, another thread releases the sink, since user code must not run where values are made.
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
