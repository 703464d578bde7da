import Foundation
import Hummingbird
import ServiceLifecycle
import Serving
import SignalRepository
import SignalRepositoryLifecycle

extension FilmRoutes {
    /// Serves until the process gets SIGINT or SIGTERM, and then until the open requests are answered.
    ///
    /// Then the repository is closed. If all of it takes longer than the limit of a shutdown, the process ends.
    package func serve(at address: ServerAddress, tokens: [String]) async throws {
        let application = application(at: address, tokens: tokens)
        var configuration = ServiceGroupConfiguration(
            services: [RepositoryService(repository), application], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: application.logger)
        limits.bound(&configuration) {
            application.logger.critical("The shutdown took too long.")
            exit(1)
        }
        try await ServiceGroup(configuration: configuration).run()
    }
}
