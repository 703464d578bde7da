extension Signal {
    /// Returns a signal that continues with another signal when its upstream fails.
    ///
    /// ```swift
    /// struct Offline: Error {}
    /// let token = Signal<Int, Offline>.fail(Offline())
    ///     .catch { _ in .just(0) }
    ///     .sink { print($0) }  // 0
    /// ```
    ///
    /// - Delivery: the upstream's values, then the values of the signal that `recover` returns. That signal receives
    ///   the outstanding demand.
    /// - Failure: the failure of the signal that `recover` returns.
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

    /// Returns a signal that, when its upstream fails, continues with another signal or fails with the thrown error.
    ///
    /// ```swift
    /// enum Fault: Error { case offline, forbidden }
    /// let signal = Signal<Int, Fault>.fail(.forbidden).tryCatch { fault throws(Fault) in
    ///     guard fault == .offline else { throw fault }
    ///     return .just(0)
    /// }
    /// let token = signal.sink(onValue: { print($0) }, onCompletion: { print($0) })  // failure(Fault.forbidden)
    /// ```
    ///
    /// - Delivery: the upstream's values, then the values of the signal that `recover` returns. That signal receives
    ///   the outstanding demand.
    /// - Failure: the error that `recover` throws, or the failure of the signal that it returns.
    @inlinable
    public func tryCatch<Other: Error>(
        _ recover: @escaping @Sendable (Failure) throws(Other) -> Signal<Value, Other>
    ) -> Signal<Value, Other> {
        `catch` { failure in
            do throws(Other) { return try recover(failure) } catch { return .fail(error) }
        }
    }

    /// Applies `catch(_:)` with a second signal that cannot fail, so that the result cannot fail, either.
    ///
    /// - Failure: none.
    @inlinable @_disfavoredOverload
    public func `catch`(
        _ recover: @escaping @Sendable (Failure) -> Signal<Value, Never>
    ) -> Signal<Value, Never> {
        `catch`(recover)
    }
}
