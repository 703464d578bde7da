#if ServiceLifecycle
    public import ServiceLifecycle
    public import Signals

    /// Follows a signal while a service group runs: a mailer that takes orders, a cache that follows a query.
    ///
    /// ```swift
    /// let follower = SignalService(repository.countSubscription(Film.self)) { count in isHeard.yield(count) }
    /// ```
    /// One value after another: the next is requested when the body has returned. When the group shuts down, none is.
    /// A signal that fails, and a body that throws, end the group with that error. A signal that finishes leaves the
    /// service waiting for the shutdown.
    public struct SignalService<Value: Sendable, Failure: Error>: Service {
        private let signal: Signal<Value, Failure>
        private let body: @Sendable (Value) async throws -> Void

        /// Takes the signal that is attached when the group begins.
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
