extension Signal {
    /// Runs the signal with unlimited demand and calls closures for its values and its end.
    ///
    /// Use `mainActorSink` for closures that run on the main actor, such as those that set properties of a view.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...2).sink(
    ///     onValue: { print($0) },
    ///     onCompletion: { print($0) })  // 1 2 finished
    /// ```
    ///
    /// - Delivery: on the thread on which the signal delivers. A synchronous signal has ended before this call returns.
    /// - Failure: passed to `onCompletion`.
    /// - Returns: a token; releasing the token cancels the run.
    @inlinable
    public func sink(
        onValue: @escaping @Sendable (Value) -> Void,
        onCompletion: @escaping @Sendable (Completion<Failure>) -> Void
    ) -> SignalToken {
        let token = SignalToken()
        sink(cancelledBy: token, onValue: onValue, onCompletion: onCompletion)
        return token
    }

    /// Runs the signal with unlimited demand.
    ///
    /// Cancelling `token` cancels the run, even from inside the first delivery.
    @inlinable
    public func sink(
        cancelledBy token: SignalToken,
        onValue: @escaping @Sendable (Value) -> Void,
        onCompletion: @escaping @Sendable (Completion<Failure>) -> Void
    ) {
        let attachment = token.attachment
        run(
            into: Sink(
                onUpstream: { if attachment.receive(upstream: $0) { $0.request(.unlimited) } },
                onValue: { value in
                    if !attachment.isClosed { onValue(value) }
                    return .none
                },
                onCompletion: { if attachment.end() { onCompletion($0) } }, requestsAllAtOnce: true))
    }
}

extension Signal {
    /// Does not compile: a signal that can fail also needs a closure for its completion.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compile-time error.
    @available(*, unavailable, message: "this signal can fail: use sink(onValue:onCompletion:)")
    @_disfavoredOverload
    public func sink(onValue: @escaping @Sendable (Value) -> Void) -> SignalToken {
        sink(onValue: onValue, onCompletion: { _ in })
    }
}

extension Signal where Failure == Never {
    /// Runs the signal with unlimited demand and calls a closure for each value; only for signals that cannot fail.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...2).sink { print($0) }  // 1 2
    /// ```
    @inlinable
    public func sink(onValue: @escaping @Sendable (Value) -> Void) -> SignalToken {
        sink(onValue: onValue, onCompletion: { _ in })
    }
}
