import Synchronization

/// Serial execution without holding a lock: whoever enters first works, and the others only leave word that there is
/// more.
///
/// ```
///   idle ──enter──▶ busy ──leave──▶ idle
///                    │ ▲
///         enter fails│ │leave fails, and the worker goes round again
///                    ▼ │
///                   asked
/// ```
/// Work that cannot be done at once must be stored where the worker finds it *before* `run` is called. Re-entering
/// from the worker's own thread counts as asking, so nothing nests. Source: the queue-drain loop of reactive-streams
/// implementations, with three states in place of a counter.
@usableFromInline
struct Drain: ~Copyable, Sendable {
    @usableFromInline let phase: Atomic<UInt8>

    @inlinable static var idle: UInt8 { 0 }
    @inlinable static var busy: UInt8 { 1 }
    @inlinable static var asked: UInt8 { 2 }

    @inlinable
    init() { phase = Atomic(0) }

    /// Becomes the worker if there is none.
    @inlinable
    func enter() -> Bool {
        phase.compareExchange(expected: Self.idle, desired: Self.busy, ordering: .acquiring).exchanged
    }

    /// Stops being the worker; false when somebody asked meanwhile, and the worker must look again.
    @inlinable
    func leave() -> Bool {
        if phase.compareExchange(expected: Self.busy, desired: Self.idle, ordering: .acquiringAndReleasing).exchanged {
            return true
        }
        phase.store(Self.busy, ordering: .sequentiallyConsistent)
        return false
    }

    /// Runs `pass` alone, as often as somebody asked; returns false at once when another is at work, who will then do
    /// it.
    @inlinable
    @discardableResult
    func run(_ pass: () -> Void) -> Bool {
        while !enter() {
            let (asked, found) = phase.compareExchange(
                expected: Self.busy, desired: Self.asked, ordering: .acquiringAndReleasing)
            if asked || found == Self.asked { return false }
        }
        repeat { pass() } while !leave()
        return true
    }
}
