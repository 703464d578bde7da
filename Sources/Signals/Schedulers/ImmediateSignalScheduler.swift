/// A scheduler that runs work inline and has no time: what is scheduled for later runs at once.
///
/// For tests, and for places that need a scheduler where no hop is wanted.
public struct ImmediateSignalScheduler: SignalScheduler {
    /// Makes a scheduler; all are alike.
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
