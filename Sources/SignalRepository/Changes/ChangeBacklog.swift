import Signals

/// What waits at the end of a change signal: every change set until its sink requests it, up to a bound.
///
/// Beyond the bound, everything that waits is merged into one change set that says so.
struct ChangeBacklog: MailboxContent {
    static var outlastsFailure: Bool { true }

    private let limit: Int
    private var waiting = RingBuffer<ChangeSet>()
    /// How many rows are waiting; a change set without rows counts as one.
    private var weight = 0

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { waiting.isEmpty }

    /// Adds a change set, and returns those that a single "unknown" one now replaces.
    mutating func add(_ changes: ChangeSet) -> [ChangeSet] {
        let isTooMuch = !isEmpty && weight + changes.weight > limit
        var dropped: [ChangeSet] = []
        if isTooMuch {
            while let changes = takeFirst() { dropped.append(changes.letter) }
            dropped.append(changes)
        }
        let last = isTooMuch ? changes.asBacklog : changes
        waiting.append(last)
        weight += last.weight
        return dropped
    }

    mutating func takeFirst() -> (letter: ChangeSet, replaced: ChangeSet?)? {
        guard let changes = waiting.popFirst() else { return nil }
        weight -= changes.weight
        return (changes, nil)
    }

    mutating func removeAll() { (waiting, weight) = (RingBuffer(), 0) }
}

/// The sink of a change signal.
private final class ChangeReceiver: LetterReceiver {
    let sink: Sink<ChangeSet, RepositoryError>

    init(sink: Sink<ChangeSet, RepositoryError>) { self.sink = sink }

    func receive(_ changes: ChangeSet) -> Demand { sink.receive(changes) }
}

extension Mailbox where Content == ChangeBacklog {
    convenience init(_ sink: Sink<ChangeSet, RepositoryError>, _ content: ChangeBacklog) {
        self.init(ChangeReceiver(sink: sink), content)
    }

    /// Takes a change set.
    func offer(_ changes: ChangeSet) {
        let (dropped, isDue) = put { $0.add(changes) }
        if isDue { schedule() }
        guard let dropped, !dropped.isEmpty else { return }
        // Not here: this is the writer's queue, and the hook is foreign code.
        Delivery.schedule { for changes in dropped { DiscardHook.report(changes, .overflow, stage: "changes") } }
    }
}
