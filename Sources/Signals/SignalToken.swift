import Synchronization

/// Keeps a run of a signal going, and cancels it: on `cancel()`, from any thread, once; and when the token is released.
///
/// A token can be made before the run, which makes it usable inside the very first value, and a cancel that comes
/// first is remembered.
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
    private let detached = Atomic(false)

    @usableFromInline
    init(_ attachment: Attachment) { self.attachment = attachment }

    /// Makes a token for a run to come; see `sink(cancelledBy:onValue:onCompletion:)`.
    public convenience init() { self.init(Attachment()) }

    /// Makes a token that calls `action` when it is cancelled, at most once.
    public convenience init(onCancel action: @escaping @Sendable () -> Void) {
        let attachment = Attachment()
        self.init(attachment)
        attachment.receive(upstream: Upstream(request: { _ in }, cancel: action))
    }

    /// Whether nothing will be delivered any more: cancelled, finished or failed.
    public var isEnded: Bool { attachment.isClosed }

    /// Stops the run and releases what it holds; delivers no completion.
    public func cancel() { attachment.cancel() }

    /// Lets the run go on to its end on its own: releasing the token no longer cancels.
    public func detach() { detached.store(true, ordering: .relaxed) }

    deinit {
        if !detached.load(ordering: .relaxed) { attachment.cancel() }
    }
}

extension SignalToken: Hashable {
    /// Whether two tokens are the same one.
    public static func == (left: SignalToken, right: SignalToken) -> Bool { left === right }

    /// Hashes the identity of the token.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Keeps the token in a set, and drops those of the set that have ended.
    ///
    /// - Complexity: O(1) amortised: the set is swept when it has doubled since the last sweep.
    public func store(in tokens: inout Set<SignalToken>) {
        if tokens.count == tokens.capacity { tokens = tokens.filter { !$0.isEnded } }
        tokens.insert(self)
    }
}
