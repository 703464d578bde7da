import Synchronization

/// A handle that keeps a run of a signal alive, and cancels the run on `cancel()` or when the handle is released.
///
/// Any thread may cancel a token; only the first cancel has an effect. A token can be created before its run, so that
/// the delivery of the first value can use it. If the token is cancelled before the run begins, the run is cancelled as
/// soon as it begins.
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
    /// Whether `detach()` was called.
    ///
    /// The flag is not in the attachment, because all tokens of one `ConnectableSignal` connection share an attachment.
    private let detached = Atomic(false)

    @usableFromInline
    init(_ attachment: Attachment) { self.attachment = attachment }

    /// Creates a token for a future run; see `sink(cancelledBy:onValue:onCompletion:)`.
    public convenience init() { self.init(Attachment()) }

    /// Creates a token that calls `action` at most once, when the token is cancelled or released.
    public convenience init(onCancel action: @escaping @Sendable () -> Void) {
        let attachment = Attachment()
        self.init(attachment)
        attachment.receive(upstream: Upstream(request: { _ in }, cancel: action))
    }

    /// Whether the run has finished, failed or been cancelled, so that nothing more will be delivered.
    public var isEnded: Bool { attachment.isClosed }

    /// Stops the run without a completion, and releases what the run holds.
    public func cancel() { attachment.cancel() }

    /// Lets the run continue to its end: afterwards, releasing the token does not cancel the run.
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

    /// Stores the token in a set.
    ///
    /// If the set has no spare capacity, this call first removes the tokens of ended runs.
    ///
    /// - Complexity: O(1) amortized, because each removal leaves spare capacity for more tokens than it has kept.
    public func store(in tokens: inout Set<SignalToken>) {
        if tokens.count == tokens.capacity {
            tokens = tokens.filter { !$0.isEnded }
            // Without spare capacity, the next call would filter the set again.
            tokens.reserveCapacity(tokens.count * 2 + 1)
        }
        tokens.insert(self)
    }

    /// Stores the token in an array.
    ///
    /// If the array has no spare capacity, this call first removes the tokens of ended runs.
    ///
    /// ```swift
    /// var tokens: [SignalToken] = []
    /// Signal<Int, Never>.just(1).sink { print($0) }.store(in: &tokens)  // 1
    /// ```
    ///
    /// - Complexity: O(1) amortized, because each removal leaves spare capacity for more tokens than it has kept.
    public func store(in tokens: inout [SignalToken]) {
        if tokens.count == tokens.capacity {
            tokens = tokens.filter { !$0.isEnded }
            tokens.reserveCapacity(tokens.count * 2 + 1)
        }
        tokens.append(self)
    }
}
