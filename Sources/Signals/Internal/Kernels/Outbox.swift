import Synchronization

/// The end of a run whose values are made on one thread and delivered on another: decides which thread is in the sink,
/// and releases the sink once.
///
/// ```
///   idle ──notify──▶ due ──begin──▶ busy ──leave──▶ idle
///                     ▲               │ ▲
///                     │        notify │ │ leave finds `due`, and the thread looks again
///                     │               ▼ │
///                     └──hand over── busy, due
/// ```
/// `closed` is added to any of these states, and stays. If no thread is busy, the one that closes releases the sink;
/// otherwise the busy one does, as it leaves. Whatever a subclass stores for delivery is stored before `notify`.
package class Outbox: @unchecked Sendable {
    // Safe because what subclasses keep beside locks and atomics is touched by the busy thread, or by the one that
    // releases, after which there is no other; `assertBusy` checks the first.
    private static let due: UInt8 = 1
    private static let busy: UInt8 = 2
    private static let closed: UInt8 = 4

    private let phase: Atomic<UInt8>
    final let demand = DemandCounter()

    /// An outbox that is held leaves everything to the thread that has made it, until `endHold()`.
    init(isHeld: Bool) { phase = Atomic(isHeld ? Self.busy : 0) }

    /// Whether `step` would deliver something; calls no foreign code.
    var isReady: Bool { false }

    /// Delivers one event, under no lock; false if there is none, or none was requested.
    func step() -> Bool { false }

    /// Releases the sink and all values; called once.
    func release() {}

    /// Whether nothing more is delivered.
    package final var isClosed: Bool { phase.load(ordering: .relaxed) & Self.closed != 0 }

    /// The upstream of the sink.
    package final var upstream: Upstream { Upstream(request: { self.request($0) }, cancel: { self.cancel() }) }

    /// Has a delivery thread look for something to deliver, after something was stored.
    package final func notify() {
        if claim() { Delivery.schedule { self.run() } }
    }

    /// Notes that something was stored; true if the caller has to have `run` called, where sinks may be called.
    package final func claim() -> Bool {
        let (old, _) = phase.bitwiseOr(Self.due, ordering: .acquiringAndReleasing)
        // Another thread is in the outbox, or is on its way.
        if old != 0 || !begin() { return false }
        repeat {
            if isReady { return handOver() }
        } while !leave()
        return false
    }

    package final func request(_ more: Demand) {
        if more > .none, demand.add(more) != nil { notify() }
    }

    /// Ends the run for the sink.
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
        if begin() { work() }
    }

    /// Delivers what came while the outbox was held, and holds it no longer.
    package final func endHold() { work() }

    final func work() {
        repeat {
            while !isClosed, step() {}
        } while !leave()
    }

    /// Becomes the busy thread, in order to deliver one value; otherwise has the busy thread look again.
    ///
    /// A notification that is found on the way is taken over, and all that it is about is delivered here.
    final func tryEnter() -> Bool {
        move(from: 0, to: Self.busy) || enterSlowly()
    }

    private func enterSlowly() -> Bool {
        while true {
            let (old, _) = phase.bitwiseOr(Self.due, ordering: .acquiringAndReleasing)
            if old & (Self.busy | Self.closed) != 0 { return false }
            if begin() {
                work()
                return false
            }
        }
    }

    private func begin() -> Bool { move(from: Self.due, to: Self.busy) }

    private func move(from old: UInt8, to new: UInt8) -> Bool {
        phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }

    /// Stops being the busy thread; false if something came meanwhile, and it must look again.
    final func leave() -> Bool {
        leave { old in old & Self.closed != 0 ? Self.closed : old & Self.due != 0 ? Self.busy : 0 } != Self.busy
    }

    /// Stops being the busy thread for another to deliver; false if the outbox is closed.
    private func handOver() -> Bool {
        leave { old in old & Self.closed != 0 ? Self.closed : Self.due } == Self.due
    }

    @inline(__always)
    private func leave(_ next: (UInt8) -> UInt8) -> UInt8 {
        var old = Self.busy
        while true {
            let new = next(old)
            let (exchanged, found) = phase.compareExchange(
                expected: old, desired: new, ordering: .acquiringAndReleasing)
            if exchanged {
                if new == Self.closed { release() }
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
