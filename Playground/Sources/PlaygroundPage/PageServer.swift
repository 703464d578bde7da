#if Serve
    import Dispatch
    import Foundation
    import Hummingbird
    import Logging
    import NIOCore
    import PlaygroundKit
    import ServiceLifecycle
    import Serving
    import SignalRepository

    /// The server of the page, and of everything that the page requests.
    struct PageServer: Sendable {
        let repository: any FilmRepository
        let statements: StatementTrail
        let storeName: String
        let address: ServerAddress
        let imports: ImportDesk
        let statistics: Signal<LiveStatistics, Never>
        /// Each commit, after which a query that failed is tried again.
        let commits: Signal<Void, RepositoryError>
        private let limits: ServerLimits
        private let streams: EventStreams

        init(
            repository: any FilmRepository, statements: StatementTrail, storeName: String, address: ServerAddress,
            limits: ServerLimits = ServerLimits()
        ) {
            self.repository = repository
            self.statements = statements
            self.storeName = storeName
            self.address = address
            self.limits = limits
            imports = ImportDesk(repository)
            statistics = Self.statistics(
                at: Signal<Int, Never>.interval(.milliseconds(200), on: DispatchQueue.global())
            ) { repository.statistics }
            commits = repository.commits(of: Film.self)
            streams = EventStreams(limits)
        }

        /// Serves until `end` delivers, and then until the current requests are answered.
        ///
        /// If the answers take longer than five seconds, the process ends with the status that `end` has delivered.
        /// Open pages get no message: their streams end, and they reconnect until a server answers.
        func run(until end: Signal<Int32, Never>, started: @escaping @Sendable (String) -> Void)
            async throws(PlaygroundError)
        {
            let application = application { port in started(address.url(port: port)) }
            let status = CurrentValue<Int32?, Never>(nil)
            var configuration = ServiceGroupConfiguration(services: [application], logger: application.logger)
            limits.bound(&configuration) { exit(status.value ?? 1) }
            let services = ServiceGroup(configuration: configuration)
            let ending = end.sink { number in
                status.send(number)
                imports.stop()
                Task { await services.triggerGracefulShutdown() }
            }
            defer { ending.cancel() }
            do {
                try await services.run()
            } catch {
                guard status.value == nil else { return }
                throw failure(error)
            }
        }

        private func application(started: @escaping @Sendable (Int) -> Void) -> some ApplicationProtocol {
            // The client gets its errors in the response; the terminal shows only the server's.
            var logger = Logger(label: "playground")
            logger.logLevel = .critical
            return limits.application(router, at: address, logger: logger, started: started)
        }

        private var router: Router<PageContext> {
            let router = Router(context: PageContext.self)
            router.add(middleware: PageHeaders())
            router.add(middleware: FailureAnswers())
            router.add(middleware: RequestGuard(address, accepting: ["application/json", "application/octet-stream"]))
            PageFiles().add(to: router)
            router.get("events") { request, context in
                // `retry` is the time, in milliseconds, after which a browser that has lost the server reconnects.
                let events = liveEvents(of: try FilmView(request)).map(\.bytes)
                    .prepend(ByteBuffer(string: "retry: 500\n\n"))
                return try streams.response(events, to: request, context.logger) { $0 }
            }
            FilmEdits(repository).add(to: router)
            ImportRoutes(imports: imports).add(to: router)
            return router
        }

        private func failure(_ error: any Error) -> PlaygroundError {
            if let error = error as? IOError {
                let place = "port \(address.port) of \(Escaping.visible(address.host))"
                return switch error.errnoCode {
                case EADDRINUSE: PlaygroundError("\(place) is taken: choose another with --port, or 0 for any")
                case EACCES: PlaygroundError("\(place) needs more rights: choose one above 1023 with --port")
                case EADDRNOTAVAIL:
                    PlaygroundError("\(Escaping.visible(address.host)) is not an address of this machine")
                default: PlaygroundError("\(place) cannot be listened on: \(Escaping.visible("\(error)"))")
                }
            }
            return PlaygroundError(
                "\(Escaping.visible(address.host)) cannot be listened on: \(Escaping.visible("\(error)"))")
        }
    }
#endif
