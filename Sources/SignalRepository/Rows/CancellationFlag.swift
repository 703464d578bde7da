import Signals
import Synchronization

/// A one-time signal, from any thread, that a piece of work is no longer wanted.
///
/// A connection checks the flag of its current work while SQLite runs. Nothing is sent to the connection, so a late
/// cancel cannot stop the work that follows.
package final class CancellationFlag: Sendable {
    private let state = Atomic<Bool>(false)
    /// The run whose work it is, which may be cancelled.
    private let run: Outbox?
    /// Set when the repository is closed.
    private let closing: CancellationFlag?
    private let endsWhenClosing: Bool

    /// A flag of a piece of work of a repository, which may end when the repository is closed.
    package init(of run: Outbox? = nil, closing: CancellationFlag? = nil, endsWhenClosing: Bool = false) {
        (self.run, self.closing, self.endsWhenClosing) = (run, closing, endsWhenClosing)
    }

    package var isCancelled: Bool { run?.isClosed == true || state.load(ordering: .acquiring) }

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
