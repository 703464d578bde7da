import Foundation
import RepositoryCore
import Synchronization

/// An open store on a server; it makes the store's writer and readers.
final class PostgresStore: StoreEngine {
    let dialect: any Dialect = PostgresDialect()
    private let parameters: ConnectionString
    private let configuration: RepositoryConfiguration
    /// The connection that opens the store and then writes; `nil` once the writer has taken it.
    private let first = Lock<PostgresConnection?>(nil)
    let source: any PostgresSource
    private let schemaChanges = SchemaChanges()
    /// The tables that each declared view reads.
    private let viewTables: [String: Set<String>]

    /// Connects and makes the tables match the declaration; if it throws, the tables are unchanged.
    init(
        _ parameters: String, _ declaration: StoreDeclaration, liveSource: LiveSource,
        rules: StreamRules, silence: SilenceLimits, configuration: RepositoryConfiguration
    ) throws(RepositoryError) {
        guard configuration.functions.isEmpty && configuration.collations.isEmpty else {
            throw .misuse(detail: "a server has no custom functions or collations: leave them out")
        }
        guard configuration.attached.isEmpty else {
            throw .misuse(detail: "files cannot be attached to a server: leave them out")
        }
        guard configuration.key == nil else {
            throw .misuse(detail: "a server encrypts its files itself: leave out the key")
        }
        guard configuration.history == .none else {
            throw .misuse(detail: "a server keeps no history of changes: set history to .none")
        }
        var string = try ConnectionString(parameters)
        string.silence = silence.lost
        let first = try Self.connect(string, configuration)
        (self.parameters, self.configuration) = (first.parameters, configuration)
        // The source is created first, so that no table is changed if the server has no capacity for the source.
        switch liveSource {
        case .replication: source = try PostgresStream(first, rules, silence)
        case .notifications: source = try PostgresListener(first.parameters, interval: configuration.watchInterval)
        }
        guard !first.schema.isEmpty else {
            throw .cannotOpen(
                path: first.address, reason: "the search_path names no schema that exists and that the role may use")
        }
        let opener = SchemaOpener(declaration, configuration, reportedBy: liveSource)
        switch configuration.access {
        case .readWrite:
            guard try first.replayedPosition() == nil else {
                throw .readOnly(detail: "\(first.address) is a standby, which is read-only: open it with .readOnly")
            }
            try opener.open(first)
            first.schemaChanges = schemaChanges
            self.first.withLock { $0 = first }
        case .readOnly, .immutable: try opener.inspect(first)
        }
        viewTables = first.viewTables
        source.expect(Set(declaration.tables.flatMap { viewTables[$0.name] ?? [$0.name] }))
    }

    private static func connect(
        _ parameters: ConnectionString, _ configuration: RepositoryConfiguration
    ) throws(RepositoryError) -> PostgresConnection {
        let connection = try PostgresConnection(parameters, log: configuration.statementLog)
        try connection.keep(
            "SET lock_timeout TO \(max(1, min(configuration.lockTimeout.milliseconds, Int(Int32.max))))")
        connection.outcomeTimeout = configuration.lockTimeout
        return connection
    }

    func makeReader() throws(RepositoryError) -> PostgresConnection {
        do throws(RepositoryError) {
            let connection = try Self.connect(parameters, configuration)
            // Otherwise, a SELECT outside a transaction would commit the writes of a function that it calls.
            try connection.keep("SET default_transaction_read_only TO on")
            connection.schemaChanges = schemaChanges
            connection.viewTables = viewTables
            return connection
        } catch {
            throw error.asLost
        }
    }

    func makeWriter(now: @escaping @Sendable () -> Date) -> (any StoreWriter)? {
        guard configuration.access == .readWrite else { return nil }
        return first.withLock { $0.take() }.map {
            PostgresWriter($0, source, lockTimeout: configuration.lockTimeout, now: now)
        }
    }

    func makeCommitSource() -> any CommitSource<PostgresConnection> {
        func opened(_ source: some PostgresSource) -> any CommitSource<PostgresConnection> { source }
        return opened(source)
    }

    func readersClosed() {}
}

/// The number of times that the program has changed the tables and views of a store.
final class SchemaChanges: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .acquiring) }

    /// Counts one more change, and returns the new number.
    func add() -> Int { number.add(1, ordering: .acquiringAndReleasing).newValue }
}
