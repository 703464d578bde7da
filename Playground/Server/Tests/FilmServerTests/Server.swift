import FilmServer
import Foundation
import Hummingbird
import ServiceLifecycle
import Serving
import SignalRepository

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server on its own port, with a repository in memory, which runs during a test.
struct Server {
    let base: URL
    let repository: SQLiteRepository
    /// Asks the server to end, as a signal of the system does.
    let stop: @Sendable () async -> Void

    static func run(
        tokens: [String] = [], site: String? = nil, limits: ServerLimits = ServerLimits(),
        _ body: (Server) async throws -> Void
    ) async throws {
        let repository = try SQLiteRepository(.inMemory, entities: Film.self)
        let (routes, address) = (FilmRoutes(repository, limits: limits), ServerAddress(port: 0, site: site))
        try await run(repository, { routes.application(at: address, tokens: tokens, started: $0) }, body)
    }

    /// Runs an application, which listens on any port and reports it.
    static func run(
        _ repository: SQLiteRepository,
        _ make: (@escaping @Sendable (Int) -> Void) -> some ApplicationProtocol,
        _ body: (Server) async throws -> Void
    ) async throws {
        let (ports, started) = AsyncStream<Int>.makeStream()
        let application = make { started.yield($0) }
        let services = ServiceGroup(services: [application], logger: application.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Ends the wait for the port if the server does not start.
                defer { started.finish() }
                try await services.run()
            }
            if let port = await ports.first(where: { _ in true }), let base = URL(string: "http://127.0.0.1:\(port)") {
                let stop: @Sendable () async -> Void = { await services.triggerGracefulShutdown() }
                try await body(Server(base: base, repository: repository, stop: stop))
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    /// Sends a request, and returns the response.
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
        return Answer(
            status: response.statusCode, location: response.value(forHTTPHeaderField: "Location"), body: data)
    }

    func url(_ path: String) throws -> URL {
        guard let url = URL(string: path, relativeTo: base) else { throw URLError(.badURL) }
        return url
    }
}

/// The response of a server.
struct Answer {
    let status: Int
    let location: String?
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }
}
