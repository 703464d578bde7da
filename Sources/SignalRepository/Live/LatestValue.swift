import Signals

/// What waits at the end of a live query: at most one value that its sink has not requested, always the latest.
struct LatestValue: MailboxContent {
    static var outlastsFailure: Bool { false }

    /// Whether two values are the same, so that there is nothing to deliver.
    let isSame: @Sendable (any Letter, any Letter) -> Bool
    private(set) var pending: (any Letter)?
    /// The last value delivered to the sink.
    private(set) var delivered: (any Letter)?
    /// Counts deliveries, so that a comparison made outside the lock is known to still be valid.
    private(set) var deliveries = 0

    /// Any object, of which the sink knows what is in it.
    typealias Letter = AnyObject & Sendable

    init<Value: Sendable>(isSame: @escaping @Sendable (Value, Value) -> Bool) {
        self.isSame = { left, right in
            guard let left = left as? CommittedBox<Value>, let right = right as? CommittedBox<Value> else {
                return false
            }
            return isSame(left.value, right.value)
        }
    }

    var isEmpty: Bool { pending == nil }

    /// Replaces the waiting value with another, or with nothing; returns what was waiting.
    mutating func replace(with letter: (any Letter)?) -> (any Letter)? {
        defer { pending = letter }
        return pending
    }

    mutating func takeFirst() -> (letter: any Letter, replaced: (any Letter)?)? {
        guard let letter = pending else { return nil }
        let replaced = delivered
        (delivered, pending) = (letter, nil)
        deliveries += 1
        return (letter, replaced)
    }

    mutating func removeAll() { (pending, delivered) = (nil, nil) }
}

/// A value of a live query on its way to the sinks that follow it, of a form that does not depend on its type.
///
/// It is no `Committed`: to make one means to ask for its type, which takes as long as a delivery.
final class CommittedBox<Value: Sendable>: Sendable {
    let commit: Int
    let value: Value

    init(commit: Int, value: Value) {
        (self.commit, self.value) = (commit, value)
    }

    /// Safe because who shares a query has the same output, which is a part of its identity.
    static func opened(_ letter: any LatestValue.Letter) -> CommittedBox {
        unsafeDowncast(letter, to: CommittedBox.self)
    }

    var committed: Committed<Value> { Committed(commit: commit, value: value) }
}

/// A sink of the values of a live query.
final class ValueReceiver<Output: Sendable>: LetterReceiver {
    let sink: Sink<Output, RepositoryError>

    init(_ sink: Sink<Output, RepositoryError>) { self.sink = sink }

    func receive(_ letter: any LatestValue.Letter) -> Demand { sink.receive(CommittedBox<Output>.opened(letter).value) }
}

/// A sink of the values of a live query, each with its commit.
final class CommittedReceiver<Output: Sendable>: LetterReceiver {
    let sink: Sink<Committed<Output>, RepositoryError>

    init(_ sink: Sink<Committed<Output>, RepositoryError>) { self.sink = sink }

    func receive(_ letter: any LatestValue.Letter) -> Demand {
        sink.receive(CommittedBox<Output>.opened(letter).committed)
    }
}

extension Mailbox where Content == LatestValue {
    /// Takes a value that differs from the one offered before; true when the caller has to have it delivered.
    ///
    /// If the sink has not taken that one and the new value is the last that it did take, there is nothing to deliver.
    func offer(_ letter: any LatestValue.Letter) -> Bool {
        var isWaiting = false
        let first = put { content in
            isWaiting = !content.isEmpty
            if !isWaiting { _ = content.replace(with: letter) }
        }
        guard isWaiting else { return first.isDue }
        // It is compared outside the lock, because the values' own comparison is foreign code.
        let (delivered, deliveries, isSame) = look { ($0.delivered, $0.deliveries, $0.isSame) }
        let isKnown = delivered.map { isSame($0, letter) } ?? false
        let second = put { $0.replace(with: isKnown && deliveries == $0.deliveries ? nil : letter) }
        withExtendedLifetime(second.released) {}
        return first.isDue || second.isDue
    }
}
