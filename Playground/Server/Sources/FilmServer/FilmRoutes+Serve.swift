import Hummingbird
import ServiceLifecycle
import SignalRepository
import SignalRepositoryLifecycle

extension FilmRoutes {
    /// Serves until the process gets SIGINT or SIGTERM, and then until the open requests are answered.
    ///
    /// A client that does not come to an end is given ten seconds. Then the repository is closed.
    package func serve(port: Int) async throws {
        let application = application(port: port)
        var configuration = ServiceGroupConfiguration(
            services: [RepositoryService(repository), application], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: application.logger)
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        try await ServiceGroup(configuration: configuration).run()
    }
}
