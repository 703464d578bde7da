import Signals

/// One attached live query, whatever its output: what the live engine maintains.
class LiveNode: @unchecked Sendable {
    /// Raised by the sink's cancel; work on the node stops.
    let cancellation = CancellationFlag()
    /// The tables that the last run has read; nil before the first.
    ///
    /// Safe because only the live queue touches it.
    final var tables: Set<String>?

    /// Reads anew in `transaction`, and emits the result when it differs.
    func refresh(in transaction: ReadTransaction, commit: Int) throws {}

    /// Ends the node with a failure.
    func fail(_ error: RepositoryError) {}
}

/// Maintains the result of a query by running it again.
final class RerunNode<Output: Sendable & Equatable>: LiveNode, @unchecked Sendable {
    private let query: LiveQuery<Output>
    private let mailbox: Mailbox<LatestValue<Output>>
    /// The last result.
    ///
    /// Safe because only the live queue touches it.
    private let cell = LiveCell<Output>()

    init(_ query: LiveQuery<Output>, _ sink: Sink<Committed<Output>, RepositoryError>) {
        self.query = query
        mailbox = Mailbox(sink, LatestValue())
    }

    override func refresh(in transaction: ReadTransaction, commit: Int) throws {
        guard try query.read(transaction, cell), let value = cell.value else { return }
        mailbox.offer(Committed(commit: commit, value: value))
    }

    override func fail(_ error: RepositoryError) {
        cell.value = nil
        mailbox.fail(error)
    }

    func request(_ demand: Demand) {
        mailbox.request(demand)
    }

    func cancel() {
        cancellation.cancel()
        mailbox.cancel()
    }
}
