import Hummingbird
import SignalRepository
import Signals

extension FilmRoutes {
    /// The server with these routes and nothing else.
    ///
    /// - Parameters:
    ///   - port: Where it listens; 0 for any port that is free.
    ///   - started: Called with the port as soon as it listens.
    package func application(
        port: Int, started: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router()
        add(to: router)
        return Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in started(channel.localAddress?.port ?? port) })
    }
}
