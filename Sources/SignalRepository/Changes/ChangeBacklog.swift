import Signals

/// What waits at the end of a change signal: every change set until its sink requests it, up to a bound.
///
/// Beyond the bound, everything that waits is merged into one change set that says so.
struct ChangeBacklog: MailboxContent {
    static var outlastsFailure: Bool { true }

    private let limit: Int
    private var waiting: [ChangeSet] = []
    /// The index of the change set that has waited longest.
    private var first = 0
    /// How many rows are waiting; a change set without rows counts as one.
    private var weight = 0

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { first == waiting.count }

    /// Adds a change set, and returns those that a single "unknown" one now replaces.
    mutating func add(_ changes: ChangeSet) -> [ChangeSet] {
        let isTooMuch = !isEmpty && weight + changes.weight > limit
        guard isTooMuch else {
            waiting.append(changes)
            weight += changes.weight
            return []
        }
        let dropped = Array(waiting[first...]) + [changes]
        (waiting, first, weight) = ([ChangeSet(commit: changes.commit, unknown: .backlog)], 0, 1)
        return dropped
    }

    mutating func takeFirst() -> (letter: ChangeSet, replaced: ChangeSet?)? {
        guard !isEmpty else { return nil }
        let changes = waiting[first]
        first += 1
        weight -= changes.weight
        if isEmpty {
            waiting.removeAll()
            first = 0
        } else if first >= 1024, first * 2 >= waiting.count {
            waiting.removeFirst(first)
            first = 0
        }
        return (changes, nil)
    }

    mutating func removeAll() { (waiting, first, weight) = ([], 0, 0) }
}

extension Mailbox where Content == ChangeBacklog {
    convenience init(_ sink: Sink<ChangeSet, RepositoryError>, _ content: ChangeBacklog) {
        self.init(
            Receiver(receive: { sink.receive($0) }, fail: { sink.receive(completion: .failure($0)) }), content)
    }

    /// Takes a change set.
    func offer(_ changes: ChangeSet) {
        guard let dropped = put({ $0.add(changes) }), !dropped.isEmpty else { return }
        // Not here: this is the writer's queue, and the hook is foreign code.
        Delivery.schedule { for changes in dropped { DiscardHook.report(changes, .overflow, stage: "changes") } }
    }
}
