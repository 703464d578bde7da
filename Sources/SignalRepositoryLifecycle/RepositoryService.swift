#if ServiceLifecycle
    public import ServiceLifecycle
    public import RepositoryCore

    /// A service that closes a repository when the service group shuts down, and not before.
    ///
    /// ```swift
    /// var configuration = ServiceGroupConfiguration(
    ///     services: [RepositoryService(repository), application], gracefulShutdownSignals: [.sigterm, .sigint],
    ///     logger: application.logger)
    /// ```
    /// A group shuts its services down in reverse order, so list the repository before the services that use it. Writes
    /// that have begun before the shutdown of this service are completed.
    public struct RepositoryService: Service {
        private let repository: any Repository

        /// Creates a service that becomes responsible for closing a repository.
        public init(_ repository: any Repository) {
            self.repository = repository
        }

        /// Waits until the group shuts down or the task is cancelled, and then closes the repository.
        public func run() async throws {
            try? await gracefulShutdown()
            await repository.close().value()
        }
    }
#endif
