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
            return isSame(left.committed.value, right.committed.value)
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
final class CommittedBox<Value: Sendable>: Sendable {
    let committed: Committed<Value>

    init(_ committed: Committed<Value>) {
        self.committed = committed
    }
}

extension Mailbox where Content == LatestValue {
    convenience init<Value>(
        _ sink: Sink<Committed<Value>, RepositoryError>, isSame: @escaping @Sendable (Value, Value) -> Bool
    ) {
        self.init(
            Receiver(
                receive: { letter in
                    guard let letter = letter as? CommittedBox<Value> else { return .none }
                    return sink.receive(letter.committed)
                }, fail: { sink.receive(completion: .failure($0)) }),
            LatestValue(isSame: isSame))
    }

    /// Takes a value that differs from the one offered before.
    ///
    /// If the sink has not taken that one and the new value is the last that it did take, there is nothing to deliver.
    func offer(_ letter: any LatestValue.Letter) {
        var isWaiting = false
        put { content in
            isWaiting = !content.isEmpty
            if !isWaiting { _ = content.replace(with: letter) }
        }
        guard isWaiting else { return }
        // It is compared outside the lock, because the values' own comparison is foreign code.
        let (delivered, deliveries, isSame) = look { ($0.delivered, $0.deliveries, $0.isSame) }
        let isKnown = delivered.map { isSame($0, letter) } ?? false
        let replaced = put { $0.replace(with: isKnown && deliveries == $0.deliveries ? nil : letter) }
        withExtendedLifetime(replaced) {}
    }
}
