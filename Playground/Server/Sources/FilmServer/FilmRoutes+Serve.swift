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
        let services = limits.group(
            [RepositoryService(repository), application], endedBy: [.sigterm, .sigint], logger: application.logger
        ) {
            application.logger.critical("The shutdown took too long.")
            exit(1)
        }
        try await services.run()
    }
}
