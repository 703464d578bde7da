extension Signal {
    /// Returns a signal that continues with another one when its upstream fails.
    ///
    /// ```swift
    /// struct Offline: Error {}
    /// let token = Signal<Int, Offline>.fail(Offline())
    ///     .catch { _ in .just(0) }
    ///     .sink { print($0) }  // 0
    /// ```
    ///
    /// - Delivery: as the upstream, then as the signal that `recover` returns, which receives the outstanding demand.
    /// - Failure: the second signal's.
    @inlinable
    public func `catch`<Other: Error>(
        _ recover: @escaping @Sendable (Failure) -> Signal<Value, Other>
    ) -> Signal<Value, Other> {
        .following(self) { completion, arbiter, next in
            switch completion {
            case .finished: next.receive(completion: .finished)
            case .failure(let failure):
                arbiter.followToTheEnd(recover(failure), for: next)
            }
        }
    }
}
