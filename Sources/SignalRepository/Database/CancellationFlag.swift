import Synchronization

/// Says once, from any thread, that a piece of work is no longer wanted.
///
/// A connection reads the flag of its current work while SQLite runs. Nothing is sent to the connection, so a late
/// cancel cannot stop the work that comes after.
final class CancellationFlag: Sendable {
    private let state = Atomic<Bool>(false)

    /// Whether `cancel()` was called.
    var isCancelled: Bool { state.load(ordering: .acquiring) }

    /// Raises the flag for good.
    func cancel() {
        state.store(true, ordering: .releasing)
    }
}
