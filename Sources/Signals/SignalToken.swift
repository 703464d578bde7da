import Synchronization

/// A handle that keeps a run of a signal alive, and cancels it on `cancel()` or when the handle is released.
///
/// It cancels at most once, from any thread. A token can be created before the run, so that it can be used inside the
/// first value; an early cancel is remembered.
///
/// ```swift
/// let token = SignalToken()
/// Signal<Int, Never>.sequence(1...).sink(
///     cancelledBy: token,
///     onValue: { print($0); if $0 == 3 { token.cancel() } },
///     onCompletion: { _ in })  // 1 2 3
/// ```
public final class SignalToken: Sendable {
    @usableFromInline let attachment: Attachment
    /// Not in the attachment, which the tokens of a connection share.
    private let detached = Atomic(false)

    @usableFromInline
    init(_ attachment: Attachment) { self.attachment = attachment }

    /// Creates a token for a future run; see `sink(cancelledBy:onValue:onCompletion:)`.
    public convenience init() { self.init(Attachment()) }

    /// Creates a token that calls `action` when it is cancelled, at most once.
    public convenience init(onCancel action: @escaping @Sendable () -> Void) {
        let attachment = Attachment()
        self.init(attachment)
        attachment.receive(upstream: Upstream(request: { _ in }, cancel: action))
    }

    /// Whether the run has finished, failed or been cancelled, so that nothing more will be delivered.
    public var isEnded: Bool { attachment.isClosed }

    /// Stops the run and releases what it holds; delivers no completion.
    public func cancel() { attachment.cancel() }

    /// Lets the run continue to its end by itself: releasing the token no longer cancels.
    public func detach() { detached.store(true, ordering: .relaxed) }

    deinit {
        if !detached.load(ordering: .relaxed) { attachment.cancel() }
    }
}

extension SignalToken: Hashable {
    /// Whether two tokens are the same object.
    public static func == (left: SignalToken, right: SignalToken) -> Bool { left === right }

    /// Hashes the identity of the token.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Stores the token in a set, from which ended tokens are removed whenever it is full.
    ///
    /// - Complexity: O(1) amortised: the set is swept when it has doubled since the last sweep.
    public func store(in tokens: inout Set<SignalToken>) {
        if tokens.count == tokens.capacity {
            tokens = tokens.filter { !$0.isEnded }
            // Without spare capacity, the next store would sweep the set again.
            tokens.reserveCapacity(tokens.count * 2 + 1)
        }
        tokens.insert(self)
    }

    /// Stores the token in an array, from which ended tokens are removed whenever it is full.
    ///
    /// ```swift
    /// var tokens: [SignalToken] = []
    /// Signal<Int, Never>.just(1).sink { print($0) }.store(in: &tokens)  // 1
    /// ```
    ///
    /// - Complexity: O(1) amortised, as for a set.
    public func store(in tokens: inout [SignalToken]) {
        if tokens.count == tokens.capacity {
            tokens = tokens.filter { !$0.isEnded }
            tokens.reserveCapacity(tokens.count * 2 + 1)
        }
        tokens.append(self)
    }
}
