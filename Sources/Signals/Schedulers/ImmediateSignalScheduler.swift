/// A scheduler that runs all work inline and at once, even work that is scheduled for later.
///
/// Its time stands still. Therefore, `delay`, `debounce` and `collect(every:)` deliver each value as it arrives,
/// `timeout` ends as soon as a sink attaches, and `interval` delivers only its first step.
///
/// Use this scheduler in tests, and where an API requires a scheduler but work should stay on the calling thread.
public struct ImmediateSignalScheduler: SignalScheduler {
    /// Creates a scheduler; all instances are equivalent.
    public init() {}

    /// The current time, which is always zero.
    public var now: Duration { .zero }

    /// Runs work inline, before the call returns.
    public func schedule(_ work: @escaping @Sendable () -> Void) { work() }

    /// Runs work inline, before the call returns, and ignores the delay.
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
        work()
        return SignalToken()
    }
}

extension SignalScheduler where Self == ImmediateSignalScheduler {
    /// A scheduler that runs work inline.
    public static var immediate: ImmediateSignalScheduler { ImmediateSignalScheduler() }
}
