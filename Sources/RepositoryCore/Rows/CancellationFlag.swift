import Signals
import Synchronization

/// A flag that cancels a piece of work; any thread can set it, and it stays set.
///
/// A connection polls the flag of its current work while SQLite runs. Setting a flag stops only the work to which the
/// flag belongs, so a late cancellation cannot stop the work that the connection does next.
package final class CancellationFlag: Sendable {
    private let state = Atomic<Bool>(false)
    /// The outbox that delivers the result of the work to a sink.
    ///
    /// Closing the outbox cancels the work.
    private let run: Outbox?
    /// The flag that is set when the repository is closed.
    private let closing: CancellationFlag?
    private let endsWhenClosing: Bool

    /// Creates the flag of a piece of work; with `endsWhenClosing`, closing the repository ends the work too.
    package init(of run: Outbox? = nil, closing: CancellationFlag? = nil, endsWhenClosing: Bool = false) {
        (self.run, self.closing, self.endsWhenClosing) = (run, closing, endsWhenClosing)
    }

    package var isCancelled: Bool { run?.isClosed == true || state.load(ordering: .acquiring) }

    package var isClosing: Bool { closing?.isCancelled == true }

    /// The error with which the work must stop; `nil` while it may continue.
    package var reason: RepositoryError? {
        if isCancelled { return .cancelled }
        return endsWhenClosing && isClosing ? .closed : nil
    }

    /// Sets the flag permanently.
    package func cancel() {
        state.store(true, ordering: .releasing)
    }
}
