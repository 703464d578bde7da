extension Signal {
    /// Returns a signal that runs its upstream `count` times, one run after another.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...2).repeat(3).sink { print($0) }  // 1 2 1 2 1 2
    /// ```
    ///
    /// Without a count, the signal repeats until it is cancelled or a run fails, even if the runs deliver no values. If
    /// the upstream is synchronous, all runs follow one another on the same thread.
    ///
    /// - Delivery: the values of every run. Each new run receives the outstanding demand. With a count of zero, the
    ///   signal finishes at once and never attaches the upstream.
    /// - Failure: the first failure of a run.
    @inlinable
    public func `repeat`(_ count: Int = .max) -> Signal {
        precondition(count >= 0, "repeat(_:) needs a count of zero or more.")
        if count == 0 { return .empty() }
        return attachingAgain(count == .max ? .max : count - 1) { if case .finished = $0 { true } else { false } }
    }
}
