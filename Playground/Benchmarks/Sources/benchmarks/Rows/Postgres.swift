import Foundation
import SignalRepository
import SignalRepositoryPostgres

extension Catalogue {
    /// Reads and writes of films on a server, compared with libpq by hand.
    static var postgres: [Row] { [pgFetch, pgInsertBatch] + pgRead + pgCreate + [pgBatchResult] }

    private static var pgFetch: Row {
        Row(
            id: "pg.fetch", work: "200,000 films from a server into an array, in the order of their ids, per film",
            operations: 200_000, bars: [.ofRaw(1.25)],
            raw: .server("libpq", filled, RawServer.init, work: { try $0.fetchAll() }, check: { $1.checksum }),
            ours: .server(
                "SignalRepository", opened, PostgresRepository.init(films:), work: { try $0.fetch(Film.all).wait() },
                check: { $1.checksum }))
    }

    private static var pgInsertBatch: Row {
        Row(
            id: "pg.insert.batch", work: "200,000 films in one transaction on a server, per film",
            operations: 200_000, bars: [.ofRaw(1.2)],
            raw: .server(
                "COPY by libpq", empty, RawServer.init, work: { try $0.copy(Film.samples) }, check: stored),
            ours: .server(
                "SignalRepository", { _ in }, PostgresRepository.init(films:),
                work: { _ = try $0.insert(Film.samples).wait() }, check: stored))
    }

    private static var pgRead: [Row] {
        let ids = Film.scattered(5_000).map(\.id)
        let byHand = Form.server(
            "libpq, prepared", filled,
            { parameters in
                let server = try RawServer(parameters)
                try server.prepare("read", #"SELECT \#(FilmTable.columns) FROM "Film" WHERE "id" = $1"#)
                return server
            }, work: { server in try ids.compactMap { try server.fetch("read", $0) } }, check: { $1.checksum })
        return [
            Row(
                id: "pg.read", work: "a film by its id on a server, each by wait()",
                operations: ids.count, bars: [.ofRaw(1.15)], raw: byHand,
                ours: .server(
                    "SignalRepository, wait()", opened, PostgresRepository.init(films:),
                    work: { repository in try ids.map { try repository.read(Film.self, id: $0).wait() } },
                    check: { $1.checksum })),
            Row(
                id: "pg.read.awaited", work: "a film by its id on a server, each awaited", operations: ids.count,
                raw: byHand,
                ours: .server(
                    "SignalRepository", opened, PostgresRepository.init(films:),
                    work: { repository in try ids.map { try repository.read(Film.self, id: $0).awaited() } },
                    check: { $1.checksum })),
        ]
    }

    private static var pgCreate: [Row] {
        let films = Array(Film.samples.prefix(2_000))
        let byHand = Form.server(
            "libpq, prepared", empty,
            { parameters in
                let server = try RawServer(parameters)
                try server.prepare("create", RawServer.insert)
                return server
            }, work: { server in for film in films { _ = try server.execute("create", film) } }, check: stored)
        return [
            Row(
                id: "pg.create", work: "a film stored on a server, each a transaction, by wait()",
                operations: films.count, bars: [.ofRaw(1.15)], raw: byHand,
                ours: .server(
                    "SignalRepository, wait()", { _ in }, PostgresRepository.init(films:),
                    work: { repository in for film in films { try repository.create(film).wait() } }, check: stored)),
            Row(
                id: "pg.create.awaited", work: "a film stored on a server, each a transaction, awaited",
                operations: films.count, raw: byHand,
                ours: .server(
                    "SignalRepository", { _ in }, PostgresRepository.init(films:),
                    work: { repository in for film in films { _ = try repository.create(film).awaited() } },
                    check: stored)),
        ]
    }

    private static var pgBatchResult: Row {
        var films = Array(Film.samples.prefix(10_000))
        for index in stride(from: 500, to: films.count, by: 1_000) { films[index].title = "" }
        return Row(
            id: "pg.batchResult", work: "10,000 films in one transaction, each with its own result, of which 10 fail",
            operations: films.count, bars: [.ofRaw(0.25)],
            raw: .server(
                "libpq, savepoints",
                { server in
                    try empty(server)
                    try server.execute(RawServer.rule)
                },
                { parameters in
                    let server = try RawServer(parameters)
                    try server.prepare("upsert", RawServer.upsert)
                    return server
                }, work: { server in try server.upsertEach(films) }, check: stored),
            ours: .server(
                "SignalRepository", { _ in },
                { parameters in
                    let repository = try PostgresRepository(films: parameters)
                    try RawServer(parameters).execute(RawServer.rule)
                    return repository
                }, work: { repository in try repository.upsert(films).wait().success.count }, check: stored))
    }

    private static let empty: @Sendable (RawServer) throws -> Void = { server in try server.execute(RawServer.create) }

    private static let filled: @Sendable (RawServer) throws -> Void = { server in
        try empty(server)
        try server.copy(Film.samples)
    }

    /// Creates the table with the library, and fills it like `filled`.
    private static let opened: @Sendable (RawServer) throws -> Void = { server in
        let repository = try PostgresRepository(films: server.parameters)
        try repository.close().wait()
        try server.copy(Film.samples)
    }

    private static func stored<Output>(_ server: RawServer, _ output: Output) throws -> Int {
        try server.fetchAll().checksum
    }
}

extension PostgresRepository {
    fileprivate convenience init(films parameters: String) throws(RepositoryError) {
        try self.init(parameters, entities: Film.self)
    }
}

extension RawServer {
    /// Stores each film in its own savepoint, with a round trip for each step.
    fileprivate func upsertEach(_ films: [Film]) throws -> Int {
        var count = 0
        try execute("BEGIN")
        for film in films {
            try execute("SAVEPOINT film")
            let isStored = try execute("upsert", film)
            count += isStored ? 1 : 0
            try execute(isStored ? "RELEASE SAVEPOINT film" : "ROLLBACK TO SAVEPOINT film; RELEASE SAVEPOINT film")
        }
        try execute("COMMIT")
        return count
    }
}
