import Signals

/// One attached live query, whatever its output: what the live engine maintains.
protocol LiveNode: AnyObject, Sendable {
    /// Raised by the sink's cancel; work on the node stops.
    var cancellation: CancellationFlag { get }
    /// Reads anew in `transaction`, and emits the result when it differs. Called on the live queue.
    func refresh(in transaction: ReadTransaction, commit: Int) throws
    /// Ends the node with a failure. Called on the live queue.
    func fail(_ error: RepositoryError)
}

/// Maintains the result of a query by running it again.
final class RerunNode<Output: Sendable & Equatable>: LiveNode, @unchecked Sendable {
    let cancellation = CancellationFlag()
    private let query: LiveQuery<Output>
    private let mailbox: LiveMailbox<Output>
    /// The last result.
    ///
    /// Safe because only the live queue touches it.
    private var last: Output?

    init(_ query: LiveQuery<Output>, _ sink: Sink<Committed<Output>, RepositoryError>) {
        self.query = query
        mailbox = LiveMailbox(sink)
    }

    func refresh(in transaction: ReadTransaction, commit: Int) throws {
        let value = try query.body(transaction)
        guard value != last else { return }
        last = value
        mailbox.offer(Committed(commit: commit, value: value))
    }

    func fail(_ error: RepositoryError) {
        last = nil
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
