extension Signal {
    /// Returns a signal that attaches its upstream again when it fails, up to `count` times.
    ///
    /// ```swift
    /// struct Offline: Error {}
    /// let token = Signal<Int, Offline>.fail(Offline()).retry(2)
    ///     .sink(onValue: { _ in }, onCompletion: { print($0) })  // failure(Offline()), after three attempts
    /// ```
    ///
    /// - Delivery: the values of every attempt; each new one receives the outstanding demand.
    /// - Failure: that of the last attempt.
    @inlinable
    public func retry(_ count: Int = .max) -> Signal {
        Signal(trusted: { next in
            let arbiter = Arbiter()
            let left = Serial(count)
            next.receive(upstream: arbiter.upstream)
            @Sendable func attempt() {
                arbiter.follow(self, onValue: next.onValue) { completion in
                    guard case .failure = completion, left.state > 0 else {
                        return next.receive(completion: completion)
                    }
                    left.state -= 1
                    attempt()
                }
            }
            attempt()
        })
    }
}
