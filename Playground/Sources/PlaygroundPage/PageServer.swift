#if Serve
    import Foundation
    import Hummingbird
    import NIOCore
    import PlaygroundKit
    import ServiceLifecycle
    import SignalRepository
    import Signals

    /// The page, and everything that it asks for.
    struct PageServer: Sendable {
        let repository: any FilmRepository
        let statements: StatementTrail
        let storeName: String
        let address: PageAddress
        let imports: ImportDesk

        init(repository: any FilmRepository, statements: StatementTrail, storeName: String, address: PageAddress) {
            self.repository = repository
            self.statements = statements
            self.storeName = storeName
            self.address = address
            imports = ImportDesk(repository)
        }

        /// Serves until `end` delivers, and then until the requests in work are answered; five seconds are the most.
        ///
        /// The pages that are open are told nothing: their streams end, and they try again until somebody is there.
        func run(until end: Signal<Int32, Never>, started: @escaping @Sendable (String) -> Void)
            async throws(PlaygroundError)
        {
            let application = application { port in started(address.url(port: port)) }
            var configuration = ServiceGroupConfiguration(services: [application], logger: application.logger)
            configuration.maximumGracefulShutdownDuration = .seconds(5)
            let services = ServiceGroup(configuration: configuration)
            let isEnding = CurrentValue<Bool, Never>(false)
            let ending = end.sink { _ in
                isEnding.send(true)
                imports.stop()
                Task { await services.triggerGracefulShutdown() }
            }
            defer { ending.cancel() }
            do {
                try await services.run()
            } catch {
                guard !isEnding.value else { return }
                throw failure(error)
            }
        }

        private func application(started: @escaping @Sendable (Int) -> Void) -> some ApplicationProtocol {
            var application = Application(
                router: router,
                configuration: ApplicationConfiguration(address: .hostname(address.host, port: address.port)),
                onServerRunning: { channel in started(channel.localAddress?.port ?? address.port) })
            // What goes wrong is told to whoever asked, and to the terminal in one sentence.
            application.logger.logLevel = .critical
            return application
        }

        private var router: Router<PageContext> {
            let router = Router(context: PageContext.self)
            router.add(middleware: PageHeaders())
            router.add(middleware: FailureAnswers())
            router.add(middleware: RequestGuard(address: address))
            PageFiles().add(to: router)
            router.get("events") { request, _ in
                let view = try FilmView(request)
                return Response.events(liveEvents(of: view), while: request)
            }
            FilmEdits(repository).add(to: router)
            ImportRoutes(imports: imports, readsNamedFiles: address.isLocal).add(to: router)
            return router
        }

        private func failure(_ error: any Error) -> PlaygroundError {
            if let error = error as? IOError {
                let place = "port \(address.port) of \(Escaping.visible(address.host))"
                return switch error.errnoCode {
                case EADDRINUSE: PlaygroundError("\(place) is taken: choose another with --port, or 0 for any")
                case EACCES: PlaygroundError("\(place) needs more rights: choose one above 1023 with --port")
                case EADDRNOTAVAIL: PlaygroundError("\(Escaping.visible(address.host)) is no address of this machine")
                default: PlaygroundError("\(place) cannot be listened on: \(Escaping.visible("\(error)"))")
                }
            }
            return PlaygroundError(
                "\(Escaping.visible(address.host)) cannot be listened on: \(Escaping.visible("\(error)"))")
        }
    }
#endif
