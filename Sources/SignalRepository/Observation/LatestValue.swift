/// What waits at the end of a live query: at most one value that its sink has not asked for, always the latest.
struct LatestValue<Value: Sendable & Equatable>: MailboxContent {
    static var outlastsFailure: Bool { false }

    private(set) var pending: Committed<Value>?
    /// The last value that the sink has got.
    private(set) var delivered: Value?
    /// Counts deliveries, so that a comparison made outside the lock is known to be still true.
    private(set) var deliveries = 0

    var isEmpty: Bool { pending == nil }

    /// Puts a value in the place of the one that waits, or nothing; returns what waited.
    mutating func replace(with value: Committed<Value>?) -> Committed<Value>? {
        defer { pending = value }
        return pending
    }

    mutating func takeFirst() -> (value: Committed<Value>, replaced: Value?)? {
        guard let value = pending else { return nil }
        let replaced = delivered
        (delivered, pending) = (value.value, nil)
        deliveries += 1
        return (value, replaced)
    }

    mutating func removeAll() { (pending, delivered) = (nil, nil) }
}

extension Mailbox {
    /// Takes a value that differs from the one offered before.
    ///
    /// When the sink has not taken that one and the new value is the last that it did take, there is nothing to tell.
    func offer<Value>(_ value: Committed<Value>) where Content == LatestValue<Value> {
        // Compared outside the lock, because the values' own comparison is foreign.
        let (delivered, deliveries) = look { ($0.delivered, $0.deliveries) }
        let isKnown = delivered.map { $0 == value.value } ?? false
        let replaced = put { $0.replace(with: isKnown && deliveries == $0.deliveries ? nil : value) }
        withExtendedLifetime(replaced) {}
    }
}
