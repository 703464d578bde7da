import Hummingbird
import Serving

extension FilmRoutes {
    /// The server with these routes and nothing else.
    ///
    /// - Parameters:
    ///   - address: The address to listen on; port 0 for any that is free.
    ///   - tokens: A request must carry one of these; without any there is no sign-in.
    ///   - started: Called with the port as soon as it listens.
    package func application(
        at address: ServerAddress, tokens: [String] = [], started: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router()
        router.add(middleware: RequestGuard(address))
        if !tokens.isEmpty { router.add(middleware: SignIn(tokens)) }
        add(to: router)
        return limits.application(router, at: address, started: started)
    }
}
