#if ServiceLifecycle
    public import ServiceLifecycle
    public import RepositoryCore

    /// Closes a repository when the service group shuts down, and not before.
    ///
    /// ```swift
    /// var configuration = ServiceGroupConfiguration(
    ///     services: [RepositoryService(repository), application], gracefulShutdownSignals: [.sigterm, .sigint],
    ///     logger: application.logger)
    /// ```
    /// A group shuts its services down in reverse order, so list the repository before the services that use it. Writes
    /// that have begun by then are completed.
    public struct RepositoryService: Service {
        private let repository: any Repository

        /// Creates a service that takes over closing a repository.
        public init(_ repository: any Repository) {
            self.repository = repository
        }

        /// Waits for the shutdown, or for its task to be cancelled, and closes the repository.
        public func run() async throws {
            try? await gracefulShutdown()
            await repository.close().value()
        }
    }
#endif
