/// A scheduler that runs all work inline, and at once even if it is scheduled for later: its time does not move.
///
/// So `delay`, `debounce` and `collect(every:)` pass on each value as it arrives, `timeout` ends as soon as it is
/// attached, and `interval` takes one step.
///
/// Use it in tests, and where a scheduler is required but no hop is wanted.
public struct ImmediateSignalScheduler: SignalScheduler {
    /// Creates a scheduler; all are equivalent.
    public init() {}

    /// Always zero.
    public var now: Duration { .zero }

    /// Runs work before it returns.
    public func schedule(_ work: @escaping @Sendable () -> Void) { work() }

    /// Runs work before it returns, without a delay.
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
        work()
        return SignalToken()
    }
}

extension SignalScheduler where Self == ImmediateSignalScheduler {
    /// A scheduler that runs work inline.
    public static var immediate: ImmediateSignalScheduler { ImmediateSignalScheduler() }
}
