import Foundation
import SignalRepository

/// An open store on a server: its writer, and the source of its readers.
final class PostgresStore: StoreEngine {
    let dialect: any Dialect = PostgresDialect()
    private let parameters: String
    private let options: RepositoryOptions
    private var writer: PostgresConnection?

    /// Connects, and makes the tables match the entities.
    init(
        _ parameters: String, entities: [any Entity.Type], options: RepositoryOptions
    ) throws(RepositoryError) {
        (self.parameters, self.options) = (parameters, options)
        let writer = try Self.connect(parameters, options)
        try PostgresTables(entities).make(on: writer)
        try writer.run("LISTEN \(PostgresTables.channel)")
        self.writer = writer
    }

    private static func connect(
        _ parameters: String, _ options: RepositoryOptions
    ) throws(RepositoryError) -> PostgresConnection {
        let connection = try PostgresConnection(parameters, log: options.statementLog)
        try connection.run("SET lock_timeout TO \(max(1, min(options.lockTimeout.milliseconds, Int(Int32.max))))")
        return connection
    }

    var canHaveReaders: Bool { true }

    func makeReader() throws(RepositoryError) -> any StoreConnection { try Self.connect(parameters, options) }

    func makeWriter(now: @escaping @Sendable () -> Date) -> (any StoreWriter)? {
        defer { writer = nil }
        return writer.map { PostgresWriter($0, lockTimeout: options.lockTimeout, now: now) }
    }

    func makeCommitSource() -> any CommitSource { NotifiedCommits() }

    func readersClosed() {}
}

/// Commits of others are heard by the writer: a snapshot may show one before, and is then read again.
final class NotifiedCommits: CommitSource {
    var refusal: RepositoryError? {
        .misuse(detail: "PostgreSQL's notifications do not tell which rows change")
    }

    func beginSnapshot(
        _ connection: any StoreConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] {
        try connection.begin(.read)
        return []
    }
}
