import Hummingbird
import ServiceLifecycle
import SignalRepository

extension FilmRoutes {
    /// Serves until the process gets SIGINT or SIGTERM, and then until the open requests are answered.
    ///
    /// A client that does not come to an end is given ten seconds.
    package func serve(port: Int) async throws {
        let application = application(port: port)
        var configuration = ServiceGroupConfiguration(
            services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: application.logger)
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        try await ServiceGroup(configuration: configuration).run()
    }
}
