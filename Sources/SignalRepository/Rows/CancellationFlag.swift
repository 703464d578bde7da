import Synchronization

/// A one-time signal, from any thread, that a piece of work is no longer wanted.
///
/// A connection checks the flag of its current work while SQLite runs. Nothing is sent to the connection, so a late
/// cancel cannot stop the work that follows.
package final class CancellationFlag: Sendable {
    private let state = Atomic<Bool>(false)
    /// Set when the repository is closed.
    private let closing: CancellationFlag?
    private let endsWhenClosing: Bool

    /// A flag of a piece of work of a repository, which may end when the repository is closed.
    package init(closing: CancellationFlag? = nil, endsWhenClosing: Bool = false) {
        self.closing = closing
        self.endsWhenClosing = endsWhenClosing
    }

    package var isCancelled: Bool { state.load(ordering: .acquiring) }

    package var isClosing: Bool { closing?.isCancelled == true }

    /// Why the work has to stop; `nil` while it may go on.
    package var reason: RepositoryError? {
        if isCancelled { return .cancelled }
        return endsWhenClosing && isClosing ? .closed : nil
    }

    /// Sets the flag for good.
    package func cancel() {
        state.store(true, ordering: .releasing)
    }
}
