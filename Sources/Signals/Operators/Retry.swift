extension Signal {
    /// Returns a signal that attaches its upstream again when the upstream fails, up to `count` times.
    ///
    /// ```swift
    /// struct Offline: Error {}
    /// let token = Signal<Int, Offline>.fail(Offline()).retry(2)
    ///     .sink(onValue: { _ in }, onCompletion: { print($0) })  // failure(Offline()), after three attempts
    /// ```
    ///
    /// - Delivery: the values of every attempt. Each new attempt receives the outstanding demand.
    /// - Failure: the failure of the last attempt.
    @inlinable
    public func retry(_ count: Int = .max) -> Signal {
        attachingAgain(count) { if case .failure = $0 { true } else { false } }
    }

    /// Returns a signal that attaches this signal again after each completion that `isContinued` accepts, up to `count`
    /// times.
    @inlinable
    func attachingAgain(
        _ count: Int, after isContinued: @escaping @Sendable (Completion<Failure>) -> Bool
    ) -> Signal {
        Signal(trusted: { next in
            let arbiter = Arbiter()
            let left = Serial(count)
            next.receive(upstream: arbiter.upstream)
            @Sendable func attach() {
                arbiter.follow(self, onValue: next.onValue) { completion in
                    guard left.state > 0, isContinued(completion) else { return next.receive(completion: completion) }
                    if left.state < .max { left.state -= 1 }
                    attach()
                }
            }
            attach()
        })
    }
}
