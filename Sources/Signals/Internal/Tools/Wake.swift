import Synchronization

/// The wait of one task for a wake-up.
///
/// A wake-up that comes before the wait is remembered.
///
/// ```
///   idle ──wait──▶ waiting ──wake──▶ idle
///     └───wake──▶ woken ──wait──▶ idle
/// ```
/// A wake-up carries no value. The waking thread publishes the reason before it calls `wake`, and the task reads the
/// reason after `wait`. `wait` may also return for a reason that no longer applies.
@usableFromInline
final class Wake: @unchecked Sendable {
    // Safe because only the waiting task sets `waiter`, before it publishes `waiting`, and only the wake-up that moves
    // the phase to `idle` takes `waiter`. The continuation can be unsafe, because it is resumed exactly once.
    @exclusivity(unchecked) private var waiter: UnsafeContinuation<Void, Never>?
    private let phase = Atomic<UInt8>(Wake.idle)

    private static let idle: UInt8 = 0
    private static let waiting: UInt8 = 1
    private static let woken: UInt8 = 2

    @usableFromInline
    init() {}

    /// Waits for a wake-up that no earlier wait has consumed.
    @usableFromInline
    func wait() async {
        await withUnsafeContinuation { continuation in
            waiter = continuation
            let (isWaiting, found) = phase.compareExchange(
                expected: Wake.idle, desired: Wake.waiting, ordering: .acquiringAndReleasing)
            if isWaiting { return }
            precondition(found == Wake.woken, "Two tasks wait for the same loop: make an iterator for each.")
            waiter = nil
            _ = phase.exchange(Wake.idle, ordering: .acquiringAndReleasing)
            continuation.resume()
        }
    }

    /// Wakes the waiting task; if no task waits, the next call of `wait` returns at once.
    @usableFromInline
    func wake() {
        var old = phase.load(ordering: .relaxed)
        while true {
            // The exchange is made even if the phase is already `woken`, because the waiting task must see everything
            // that this thread has stored before this call.
            let (exchanged, original) = phase.weakCompareExchange(
                expected: old, desired: old == Wake.waiting ? Wake.idle : Wake.woken, ordering: .acquiringAndReleasing)
            if exchanged { break }
            old = original
        }
        if old == Wake.waiting { waiter.take()?.resume() }
    }
}
