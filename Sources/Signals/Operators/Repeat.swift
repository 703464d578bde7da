extension Signal {
    /// Returns a signal that attaches its upstream again when it finishes, `count` times in all.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...2).repeat(3).sink { print($0) }  // 1 2 1 2 1 2
    /// ```
    ///
    /// Without a count it continues until it is cancelled or fails. An upstream that finishes without a value is then
    /// attached again forever, on the same thread if it is synchronous.
    ///
    /// - Delivery: the values of every run; each new one receives the outstanding demand. With a count of zero it
    ///   finishes at once, and the upstream is never attached.
    /// - Failure: the first one of a run.
    @inlinable
    public func `repeat`(_ count: Int = .max) -> Signal {
        precondition(count >= 0, "repeat(_:) needs a count of zero or more.")
        if count == 0 { return .empty() }
        return attachingAgain(count == .max ? .max : count - 1) { if case .finished = $0 { true } else { false } }
    }
}
