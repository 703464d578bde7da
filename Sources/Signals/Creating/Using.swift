extension Signal {
    /// Returns a signal that acquires a resource for each sink, and releases the resource when the sink's run ends.
    ///
    /// ```swift
    /// let lines = Signal<String, Never>.using(
    ///     acquire: { print("open"); return 3 },
    ///     release: { _ in print("close") },
    ///     signal: { .just("read from \($0)") })
    /// let token = lines.sink { print($0) }  // open, read from 3, close
    /// ```
    ///
    /// - Delivery: the same as for the signal that `make` returns. `release` is called exactly once, before the end is
    ///   delivered or when the run is cancelled.
    /// - Failure: the failure of the signal that `make` returns, or the error that `acquire` throws.
    public static func using<Resource: Sendable>(
        acquire: @escaping @Sendable () throws(Failure) -> Resource,
        release: @escaping @Sendable (Resource) -> Void,
        signal make: @escaping @Sendable (Resource) -> Signal
    ) -> Signal {
        deferred {
            let resource: Resource
            do throws(Failure) {
                resource = try acquire()
            } catch {
                return .fail(error)
            }
            let lease = SignalToken(onCancel: { release(resource) })
            return make(resource).handleEvents(
                onCompletion: { _ in lease.cancel() }, onCancel: { lease.cancel() })
        }
    }
}
