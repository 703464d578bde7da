import Foundation
import SignalRepository

/// An open store on a server: its writer, and the source of its readers.
final class PostgresStore: StoreEngine {
    let dialect: any Dialect = PostgresDialect()
    private let parameters: ConnectionString
    private let options: RepositoryOptions
    /// The connection that hears of changes, and writes if that is allowed.
    private var first: PostgresConnection?
    private let access: StoreAccess

    /// Connects, and makes the tables match what is declared, or leaves them as they are and throws.
    init(
        _ parameters: String, _ declaration: StoreDeclaration, access: StoreAccess, options: RepositoryOptions
    ) throws(RepositoryError) {
        (self.parameters, self.access, self.options) = (try ConnectionString(parameters), access, options)
        let first = try Self.connect(self.parameters, options)
        guard !first.schema.isEmpty else {
            throw .cannotOpen(path: first.address, reason: "its search_path names no schema that exists")
        }
        let opener = SchemaOpener(declaration, options)
        switch access {
        case .readWrite: try opener.open(first)
        case .readOnly: try opener.inspect(first)
        }
        try first.run("LISTEN \(PostgresTables.channel)")
        self.first = first
    }

    private static func connect(
        _ parameters: ConnectionString, _ options: RepositoryOptions
    ) throws(RepositoryError) -> PostgresConnection {
        let connection = try PostgresConnection(parameters.text, log: options.statementLog)
        try connection.run("SET lock_timeout TO \(max(1, min(options.lockTimeout.milliseconds, Int(Int32.max))))")
        return connection
    }

    var canHaveReaders: Bool { true }

    func makeReader() throws(RepositoryError) -> any StoreConnection { try Self.connect(parameters, options) }

    func makeWriter(now: @escaping @Sendable () -> Date) -> (any StoreWriter)? {
        guard access == .readWrite else { return nil }
        defer { first = nil }
        return first.map { PostgresWriter($0, lockTimeout: options.lockTimeout, now: now) }
    }

    /// Who reads alone has no writer that hears of changes.
    func makeCommitSource() -> any CommitSource { NotifiedCommits(access == .readOnly ? first : nil) }

    func readersClosed() {}
}

/// Commits of others are heard by the writer: a snapshot may show one before, and is then read again.
final class NotifiedCommits: CommitSource {
    /// The connection that hears of them where there is no writer.
    private let listener: PostgresConnection?

    init(_ listener: PostgresConnection?) {
        self.listener = listener
    }

    var refusal: RepositoryError? {
        .misuse(detail: "PostgreSQL's notifications do not tell which rows change")
    }

    // What is heard before the snapshot is begun is in it.
    func beginSnapshot(
        _ connection: any StoreConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] {
        let tables = listener?.notifiedTables() ?? []
        try connection.begin(.read)
        return tables.isEmpty ? [] : [.elsewhere(tables)]
    }
}
