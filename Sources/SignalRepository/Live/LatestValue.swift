/// What waits at the end of a live query: at most one value that its sink has not requested, always the latest.
struct LatestValue<Value: Sendable & Equatable>: MailboxContent {
    static var outlastsFailure: Bool { false }

    /// Whether two values are the same, so that there is nothing to deliver.
    let isSame: @Sendable (Value, Value) -> Bool
    private(set) var pending: Committed<Value>?
    /// The last value delivered to the sink.
    private(set) var delivered: Value?
    /// Counts deliveries, so that a comparison made outside the lock is known to still be valid.
    private(set) var deliveries = 0

    init(isSame: @escaping @Sendable (Value, Value) -> Bool = { $0 == $1 }) {
        self.isSame = isSame
    }

    var isEmpty: Bool { pending == nil }

    /// Replaces the waiting value with another, or with nothing; returns what was waiting.
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
