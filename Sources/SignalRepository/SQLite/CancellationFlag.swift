import Synchronization

/// A one-time signal, from any thread, that a piece of work is no longer wanted.
///
/// A connection checks the flag of its current work while SQLite runs. Nothing is sent to the connection, so a late
/// cancel cannot stop the work that follows.
final class CancellationFlag: Sendable {
    private let state = Atomic<Bool>(false)

    /// Whether `cancel()` was called.
    var isCancelled: Bool { state.load(ordering: .acquiring) }

    /// Sets the flag for good.
    func cancel() {
        state.store(true, ordering: .releasing)
    }
}
