import Synchronization

/// Serial execution without holding a lock: the first to enter works, and the others only leave word that there is
/// more.
///
/// ```
///   idle ──enter──▶ busy ──leave──▶ idle            shut: nobody enters for a moment (Inbox)
///                    │ ▲
///         enter fails│ │leave fails, and the worker goes round again
///                    ▼ │
///                   asked ──offer──▶ offered ──takeOffer──▶ busy
/// ```
/// Work that cannot be done at once must be stored where the worker finds it *before* `run` is called. Re-entering from
/// the worker's own thread counts as asking, so nothing recurses. Source: the queue-drain loop of reactive-streams
/// implementations, with states instead of a counter.
///
/// There are two kinds of workers. A sender goes on until nothing is left. A visitor, which attaches, requests or
/// cancels, does only its own part; what another thread has left meanwhile it offers to the next sender, and to a
/// stand-in in case none comes.
@usableFromInline
struct Drain: ~Copyable, Sendable {
    @usableFromInline let phase: Atomic<UInt8>
    /// The thread that works as a visitor, or 0.
    @usableFromInline let visitor: Atomic<UInt>

    @inlinable static var idle: UInt8 { 0 }
    @inlinable static var busy: UInt8 { 1 }
    @inlinable static var asked: UInt8 { 2 }
    @inlinable static var offered: UInt8 { 3 }
    @inlinable static var shut: UInt8 { 4 }

    @inlinable
    init() {
        phase = Atomic(0)
        visitor = Atomic(0)
    }

    /// Becomes the worker if there is none.
    @inlinable
    func enter() -> Bool { move(from: Self.idle, to: Self.busy).moved }

    /// Becomes the worker, taking over from the one that made an offer.
    @inlinable
    func takeOffer() -> Bool { move(from: Self.offered, to: Self.busy).moved }

    /// Stops being the worker; false when somebody asked meanwhile, and the worker must look again.
    @inlinable
    func leave() -> Bool {
        if move(from: Self.busy, to: Self.idle).moved { return true }
        phase.store(Self.busy, ordering: .sequentiallyConsistent)
        return false
    }

    /// Leaves word for the worker to look again; false if there is none.
    @inlinable
    func ask() -> Bool {
        let (asked, found) = move(from: Self.busy, to: Self.asked)
        return asked || found == Self.asked
    }

    /// Runs `pass` exclusively, as often as somebody asked; returns false at once if another thread is at work, which
    /// will then do it.
    @inlinable
    @discardableResult
    func run(_ pass: () -> Void, whileShut wait: () -> Void = {}) -> Bool {
        while !enter() && !takeOffer() {
            if ask() { return false }
            wait()
        }
        repeat { pass() } while !leave()
        return true
    }

    @inlinable
    func move(from old: UInt8, to new: UInt8) -> (moved: Bool, found: UInt8) {
        let (moved, found) = phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
        return (moved, found)
    }
}

extension Drain {
    /// Leaves word like `ask`, also for whoever takes up an offer.
    ///
    /// The phase is written even if unchanged, so that what either side did before is seen by the other.
    @inlinable
    func askOrFindOffered() -> Bool { ask() || move(from: Self.offered, to: Self.offered).moved }

    /// Whether nobody is at work; otherwise the worker will look again.
    @inlinable
    func knock() -> Bool {
        while true {
            if askOrFindOffered() { return false }
            if move(from: Self.idle, to: Self.idle).moved || move(from: Self.shut, to: Self.shut).moved { return true }
        }
    }

    /// Notes that the worker is a visitor, so that what others leave can be distinguished from what is its own.
    @usableFromInline
    func beginVisit() { visitor.store(ThreadNumber.current, ordering: .relaxed) }

    /// Stops being the worker like `leave`; the visit goes on if somebody asked meanwhile.
    @usableFromInline
    func leaveVisit() -> Bool {
        visitor.store(0, ordering: .relaxed)
        if leave() { return true }
        beginVisit()
        return false
    }

    /// Stops being the worker although there is more to do.
    @usableFromInline
    func offer() {
        visitor.store(0, ordering: .relaxed)
        phase.store(Self.offered, ordering: .releasing)
    }

    @inlinable var isVisitedByThisThread: Bool {
        let visitor = visitor.load(ordering: .relaxed)
        return visitor != 0 && visitor == ThreadNumber.current
    }

    @inlinable var isVisitedByAnother: Bool {
        let visitor = visitor.load(ordering: .relaxed)
        return visitor != 0 && visitor != ThreadNumber.current
    }

    /// Keeps everybody out for a moment, if nobody is at work; `open` must follow.
    @inlinable
    func shut() -> Bool { move(from: Self.idle, to: Self.shut).moved }

    @inlinable
    func open() { phase.store(Self.idle, ordering: .releasing) }
}
