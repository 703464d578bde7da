import Synchronization

/// A value or a failure that a stage dropped instead of delivering it.
public struct Discard: Sendable {
    /// The reason why a stage dropped a value or a failure.
    public enum Reason: Sendable, Hashable {
        /// A buffer was full, or a source delivered more than was requested.
        case overflow
        /// The value or failure arrived after the end or after a cancel.
        case afterEnd
        /// Another input of the operator failed first, and the operator dropped values that it had not delivered.
        case siblingFailed
    }

    /// The dropped value or error.
    public let payload: any Sendable
    /// The reason why the stage dropped it.
    public let reason: Reason
    /// The stage that dropped it, such as `buffer`.
    public let stage: StaticString
}

/// A hook for dropped values and late failures, so that nothing is lost silently.
///
/// ```swift
/// let token = DiscardHook.observe { print($0.payload, $0.reason, $0.stage) }
/// let broadcast = Broadcast<Int, Never>()
/// broadcast.send(completion: .finished)
/// broadcast.send(1)  // 1 afterEnd Broadcast
/// ```
///
/// - Delivery: on the thread that dropped the value, outside all locks. Without an observer, a drop costs one atomic
///   load.
public enum DiscardHook {
    private static let observers = Lock<[(id: Int, handler: @Sendable (Discard) -> Void)]>([])
    private static let lastID = Atomic(0)
    private static let isObserved = Atomic(false)

    /// Calls `handler` for each value and failure dropped from now on, until the token is cancelled or released.
    public static func observe(_ handler: @escaping @Sendable (Discard) -> Void) -> SignalToken {
        let id = lastID.add(1, ordering: .relaxed).newValue
        observers.withLock { $0.append((id, handler)) }
        isObserved.store(true, ordering: .releasing)
        return SignalToken(onCancel: {
            // The handler is released outside the lock, because releasing it may run foreign code.
            _ = observers.withLock { all in
                let index = all.firstIndex { $0.id == id }
                let removed = index.map { all.remove(at: $0) }
                if all.isEmpty { isObserved.store(false, ordering: .relaxed) }
                return removed
            }
        })
    }

    @usableFromInline
    package static func report(_ payload: any Sendable, _ reason: Discard.Reason, stage: StaticString) {
        guard isObserved.load(ordering: .acquiring) else { return }
        let handlers = observers.withLock { $0 }
        let discard = Discard(payload: payload, reason: reason, stage: stage)
        for observer in handlers { observer.handler(discard) }
    }

    @usableFromInline
    static func report<Failure>(late completion: Completion<Failure>, stage: StaticString) {
        if case .failure(let failure) = completion { report(failure, .afterEnd, stage: stage) }
    }
}
