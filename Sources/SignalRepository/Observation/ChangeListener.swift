import Signals

/// One run of a signal of changes.
///
/// It is a live node too, one that reads nothing: so the repository looks for commits of others while it is there, and
/// ends it when it closes.
final class ChangeListener: LiveNode, @unchecked Sendable {
    let request: ChangeRequest
    private let mailbox: Mailbox<ChangeBacklog>
    /// Whether this repository cannot write, so that every commit is another's.
    private let hearsOthersOnly: Bool
    /// The commit of the last pass.
    ///
    /// Safe because only the live queue touches it.
    private var lastPass: Int?

    init(_ request: ChangeRequest, _ sink: Sink<ChangeSet, RepositoryError>, hearsOthersOnly: Bool) {
        self.request = request
        self.hearsOthersOnly = hearsOthersOnly
        mailbox = Mailbox(sink, ChangeBacklog(limit: request.backlog))
    }

    /// Whether the sink hears no more.
    var isEnded: Bool { mailbox.isEnded }

    /// Hands over what the sink has asked to hear of; called for one commit after the other.
    func offer(_ changes: ChangeSet) {
        if let part = request.part(of: changes) { mailbox.offer(part) }
    }

    /// Called when anything may have changed, which the writer has told of if there is one.
    override func refresh(in transaction: ReadTransaction, commit: Int) throws {
        if hearsOthersOnly, let lastPass, commit > lastPass {
            mailbox.offer(ChangeSet(commit: commit, unknown: .otherConnection))
        }
        lastPass = commit
    }

    override func fail(_ error: RepositoryError) {
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
