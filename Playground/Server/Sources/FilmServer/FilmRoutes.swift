import Foundation
import Hummingbird
import Serving
import SignalRepository
import SignalRepositoryLogging

/// The films over HTTP.
package struct FilmRoutes<Store: Repository>: Sendable {
    let repository: Store
    let limits: ServerLimits
    private let streams: EventStreams
    private let commits: Signal<Void, RepositoryError>

    package init(_ repository: Store, limits: ServerLimits = ServerLimits()) {
        (self.repository, self.limits) = (repository, limits)
        streams = EventStreams(limits)
        commits = repository.commits(of: Film.self)
    }

    /// Adds the routes below a path.
    package func add(to router: Router<some RequestContext>, at path: RouterPath = "films") {
        router.group(path)
            .get { request, _ in try await list(request) }
            .post { request, context in try await create(request, context) }
            .get("totals") { request, context in try totals(request, context) }
            .get(":id") { _, context in try await read(context) }
            .put(":id") { request, context in try await replace(request, context) }
            .patch(":id") { request, context in try await change(request, context) }
            .delete(":id") { _, context in try await delete(context) }
            .post(":id/takings") { request, context in try await take(request, context) }
    }

    private func list(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        var films = Film.all.sorted(by: \.title)
        if let studio = query["studio"] { films = films.where { $0.studio == String(studio) } }
        guard let size = query["size"].map({ Int($0) }) ?? 20, (1...100).contains(size) else {
            throw HTTPError(.badRequest, message: "size is a number from 1 to 100.")
        }
        let cursor = query["after"].map { PageCursor(String($0)) }
        do {
            return try .json(FilmPage(try await repository.fetch(films.page(after: cursor, size: size)).value()))
        } catch RepositoryError.misuse where cursor != nil {
            // The rest of the query is the server's own, and valid.
            throw HTTPError(.badRequest, message: "after is not the next of a page of this list.")
        }
    }

    private func create(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let film = try await request.decode(as: FilmDraft.self, context: context).film(UUID())
        try await repository.create(film).value()
        var response = try Response.json(film, status: .created)
        let path = request.uri.path.split(separator: "/").joined(separator: "/")
        response.headers[.location] = "/\(path)/\(film.id)"
        return response
    }

    private func read(_ context: some RequestContext) async throws -> Response {
        try .json(try await repository.read(Film.self, id: try context.id()).value())
    }

    private func replace(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let film = try await request.decode(as: FilmDraft.self, context: context).film(try context.id())
        return try .json(try await repository.update(film).value())
    }

    private func change(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let id = try context.id()
        let patch = try await request.decode(as: Patch<Film>.self, context: context)
        // An update that sets nothing is .misuse; a patch without fields is valid, and changes nothing.
        guard !patch.assignments.isEmpty else { return try await read(context) }
        let film = try await repository.transaction { store in
            try store.update(Film.self, id: id, set: patch.assignments).checked()
        }.value()
        return try .json(film)
    }

    private func delete(_ context: some RequestContext) async throws -> Response {
        try await repository.delete(Film.self, id: try context.id()).value()
        return Response(status: .noContent)
    }

    private func take(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let id = try context.id()
        let takings = try await request.decode(as: Takings.self, context: context)
        let film = try await repository.transaction { store in
            var film = try store.read(Film.self, id: id)
            film.boxOffice += takings.amount
            film = try store.update(film.checked())
            guard film.boxOffice >= 0 else { throw HTTPError(.conflict, message: "A film does not make less than 0.") }
            return film
        }.value()
        return try .json(film)
    }

    private func totals(_ request: Request, _ context: some RequestContext) throws -> Response {
        let logger = context.logger
        // One query, so that both numbers belong to the same commit.
        let totals = repository.fetchSubscription(Film.all.aggregate { ($0.id.count(), $0.boxOffice.sum()) })
            .mapError { error in
                logger.error("totals: \(error.summary)")
                return error
            }
            .retried(at: commits)
        let results = totals.compactMap { $0.first.map(FilmTotals.init) }.log("totals", to: context.logger)
        return try streams.response(results, to: request, context.logger) { try .event($0) }
    }
}

/// The number of films, and the sum of their box office.
struct FilmTotals: Encodable {
    let films: Int
    let boxOffice: Decimal
}

extension RequestContext {
    /// The id in the path.
    fileprivate func id() throws -> UUID {
        guard let id = parameters.get("id", as: UUID.self) else {
            throw HTTPError(.notFound, message: "The id in the path is not a UUID.")
        }
        return id
    }
}
