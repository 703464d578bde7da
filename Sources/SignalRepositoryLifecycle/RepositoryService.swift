#if ServiceLifecycle
    public import ServiceLifecycle
    public import SignalRepository

    /// Closes a repository when the service group shuts down, and not before.
    ///
    /// ```swift
    /// var configuration = ServiceGroupConfiguration(
    ///     services: [RepositoryService(repository), application], gracefulShutdownSignals: [.sigterm, .sigint],
    ///     logger: application.logger)
    /// ```
    /// A group shuts its services down in the opposite order, so put the repository before whatever uses it. What is
    /// written by then is completed.
    public struct RepositoryService: Service {
        private let repository: any Repository

        /// Takes over the closing of a repository.
        public init(_ repository: any Repository) {
            self.repository = repository
        }

        /// Waits for the shutdown, or the end of its task, and closes the repository.
        public func run() async throws {
            try? await gracefulShutdown()
            await repository.close().value()
        }
    }
#endif
