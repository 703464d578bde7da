extension Signal where Failure == Never {
    /// Runs the signal and stores each value in a property of a main-actor object, which it does not retain.
    ///
    /// ```swift
    /// @MainActor final class Counter { var count = 0 }
    /// @MainActor func follow(_ clicks: CurrentValue<Int, Never>, _ counter: Counter) -> SignalToken {
    ///     clicks.signal.assign(to: \.count, on: counter)
    /// }
    /// ```
    ///
    /// An object observed by views only needs to be marked `@Observable`.
    ///
    /// - Delivery: as `mainActorSink`: a value sent on the main actor is stored at once. The first value after the
    ///   object was released cancels the run.
    /// - Returns: a token; the run is cancelled when it is released.
    @MainActor
    public func assign<Root: AnyObject>(
        to keyPath: ReferenceWritableKeyPath<Root, Value>, on object: Root
    ) -> SignalToken {
        let token = SignalToken()
        mainActorSink(
            cancelledBy: token,
            // The run must not retain its own token, whose release is meant to end it.
            onValue: { [weak object, weak token] value in
                if let object { object[keyPath: keyPath] = value } else { token?.cancel() }
            },
            onCompletion: { _ in })
        return token
    }
}
