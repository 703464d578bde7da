import Synchronization

/// The wait of one task for a wake-up; an early wake-up is kept.
///
/// ```
///   idle ──wait──▶ waiting ──wake──▶ idle
///     └───wake──▶ woken ──wait──▶ idle
/// ```
/// It carries no value: the reason is published before `wake` and read after `wait`, which may also return for a reason
/// that no longer applies.
@usableFromInline
final class Wake: @unchecked Sendable {
    // Safe because `waiter` is written by the one task that waits, before it publishes `waiting`, and read by the one
    // wake-up that moves `waiting` to `idle`. The continuation can be an unsafe one, because it is resumed exactly
    // once.
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

    /// Wakes the task that waits, or the next one to wait.
    @usableFromInline
    func wake() {
        var old = phase.load(ordering: .relaxed)
        while true {
            // Exchanged even if it is already woken: the wait must see what was published before this call.
            let (exchanged, original) = phase.weakCompareExchange(
                expected: old, desired: old == Wake.waiting ? Wake.idle : Wake.woken, ordering: .acquiringAndReleasing)
            if exchanged { break }
            old = original
        }
        if old == Wake.waiting { waiter.take()?.resume() }
    }
}
