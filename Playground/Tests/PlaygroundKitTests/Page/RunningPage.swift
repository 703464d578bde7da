#if Serve
    import Foundation
    import Serving
    import SignalRepository

    @testable import PlaygroundKit
    @testable import PlaygroundPage

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// A page on its own port, which is served during a test.
    struct RunningPage {
        let base: URL
        let repository: any FilmRepository
        private let end: CurrentValue<Int32?, Never>

        /// Serves a store, by default one in memory, while `body` runs; the server has ended when it returns.
        static func run(
            _ repository: (any FilmRepository)? = nil, host: String = "127.0.0.1", port: Int = 0,
            limits: ServerLimits = ServerLimits(),
            _ body: (RunningPage) async throws -> Void
        ) async throws {
            let statements = StatementTrail()
            var configuration = RepositoryConfiguration()
            configuration.statementLog = statements.log
            let repository =
                try repository ?? SQLiteRepository(.inMemory, entities: Film.self, configuration: configuration)
            let server = PageServer(
                repository: repository, statements: statements, storeName: "films.sqlite",
                address: ServerAddress(host: host, port: port), limits: limits)
            let (addresses, started) = AsyncStream<String>.makeStream()
            let end = CurrentValue<Int32?, Never>(nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    // Ends the wait for the address if the server does not start.
                    defer { started.finish() }
                    try await server.run(until: end.signal.compactMap { $0 }) { started.yield($0) }
                }
                if let address = await addresses.first(where: { _ in true }), let base = URL(string: address) {
                    try await body(RunningPage(base: base, repository: repository, end: end))
                }
                end.send(130)
                try await group.waitForAll()
            }
        }

        /// Serves a store on a port that another server has just left.
        ///
        /// A child of another test may still hold the port, until it executes its program.
        static func run(
            _ repository: any FilmRepository, again port: Int, _ body: (RunningPage) async throws -> Void
        ) async throws {
            while true {
                do {
                    return try await run(repository, port: port, body)
                } catch let error as PlaygroundError where error.description.contains("is taken") {
                    await Task.yield()
                }
            }
        }

        /// Tells the server to end, as Ctrl-C does.
        func stop() { end.send(130) }

        func add(_ films: [Film]) async throws { _ = try await repository.insert(films).value() }

        /// Sends a request as the page does, and returns the response.
        func send(
            _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
        ) async throws -> Answer {
            var request = URLRequest(url: try url(path))
            request.httpMethod = method
            request.httpBody = body.map { Data($0.utf8) }
            if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
            for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
            let (data, response) = try await URLSession.shared.data(for: request)
            guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            return Answer(response: response, body: String(decoding: data, as: UTF8.self))
        }

        func url(_ path: String) throws -> URL {
            guard let url = URL(string: path, relativeTo: base) else { throw URLError(.badURL) }
            return url
        }

        /// Opens the stream of a tab.
        func open(_ query: String = "") throws -> TabStream { TabStream(try url("/events" + query)) }
    }

    /// The response of a server.
    struct Answer {
        let response: HTTPURLResponse
        let body: String

        var status: Int { response.statusCode }

        /// The message of a refusal.
        var message: String? {
            let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
            return (object?["error"] as? [String: Any])?["message"] as? String
        }
    }

    extension Film {
        static func made(
            _ title: String, _ date: String? = nil, _ amount: Decimal? = nil, _ studio: String? = nil
        ) -> Film {
            Film(
                title: title, releaseDate: date.flatMap(ReleaseDate.parse), boxOffice: amount, studio: studio,
                genre: nil)
        }
    }
#endif
