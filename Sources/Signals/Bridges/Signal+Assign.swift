extension Signal where Failure == Never {
    /// Runs the signal and stores each value in a property of a main-actor object, without retaining the object.
    ///
    /// ```swift
    /// @MainActor final class Counter { var count = 0 }
    /// @MainActor func follow(_ clicks: CurrentValue<Int, Never>, _ counter: Counter) -> SignalToken {
    ///     clicks.signal.assign(to: \.count, on: counter)
    /// }
    /// ```
    ///
    /// To let views observe the object, mark its class `@Observable`.
    ///
    /// - Delivery: the same as for `mainActorSink`, so a value sent on the main actor is stored at once. The first
    ///   value after the object was released cancels the run.
    /// - Returns: a token; releasing the token cancels the run.
    @MainActor
    public func assign<Root: AnyObject>(
        to keyPath: ReferenceWritableKeyPath<Root, Value>, on object: Root
    ) -> SignalToken {
        let token = SignalToken()
        mainActorSink(
            cancelledBy: token,
            // Releasing the token must end the run, so the run must not retain the token.
            onValue: { [weak object, weak token] value in
                if let object { object[keyPath: keyPath] = value } else { token?.cancel() }
            },
            onCompletion: { _ in })
        return token
    }
}
