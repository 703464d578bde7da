#if ServiceLifecycle
    public import ServiceLifecycle
    public import Signals

    /// A service that follows a signal while its group runs, for example to send mails or to update a cache.
    ///
    /// ```swift
    /// let follower = SignalService(repository.countSubscription(Film.self)) { count in isReported.yield(count) }
    /// ```
    /// The service requests the next value when the body has returned, and requests no more values once the group shuts
    /// down. If the signal fails or the body throws, the group ends with that error. If the signal finishes, the
    /// service waits for the shutdown.
    public struct SignalService<Value: Sendable, Failure: Error>: Service {
        private let signal: Signal<Value, Failure>
        private let body: @Sendable (Value) async throws -> Void

        /// Creates a service that attaches to a signal when the group starts.
        public init(_ signal: Signal<Value, Failure>, _ body: @escaping @Sendable (Value) async throws -> Void) {
            (self.signal, self.body) = (signal, body)
        }

        /// Follows the signal until the shutdown.
        public func run() async throws {
            for try await value in signal.values(prefetch: 1).cancelOnGracefulShutdown() { try await body(value) }
            try? await gracefulShutdown()
        }
    }
#endif
