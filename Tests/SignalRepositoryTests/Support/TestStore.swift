import Foundation
import SignalRepository
import Signals
import Testing

@testable import SignalRepositoryPostgres

/// A kind of store; tests try every endpoint in each kind.
enum StoreKind: String, CaseIterable, Sendable {
    case memory, file, postgres

    /// The stores of SQLite.
    static let local: [StoreKind] = [.memory, .file]
    /// The stores that persist after they are closed.
    static let kept: [StoreKind] = [.file, .postgres]
}

/// A store that is not open yet.
enum TestStore {
    case file(StoreLocation)
    case server(parameters: String)

    /// Opens the store.
    func open(
        _ entities: [any Entity.Type], configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) throws -> any Repository {
        switch self {
        case .file(let location):
            try SQLiteRepository(location, entities: entities, configuration: configuration.with(durability: .normal))
        case .server(let parameters):
            try PostgresRepository(parameters, following: entities, silence: .patient, configuration: configuration)
        }
    }
}

/// Gives a test a store, and removes it afterwards.
func withStore(_ kind: StoreKind, _ body: (TestStore) async throws -> Void) async throws {
    guard kind != .postgres else { return try await body(.server(parameters: TestServer.shared.get().store())) }
    try await withFolder { folder in
        try await body(.file(kind == .memory ? .inMemory : .file(folder + "/store.sqlite")))
    }
}

/// Gives a test an open repository, and removes its store afterwards.
func withRepository(
    _ kind: StoreKind, _ entities: [any Entity.Type] = [Film.self],
    configuration: RepositoryConfiguration = RepositoryConfiguration(),
    _ body: (any Repository) async throws -> Void
) async throws {
    try await withStore(kind) { store in
        let repository = try store.open(entities, configuration: configuration)
        await repository.streaming()
        try await body(repository)
        await closed(repository)
    }
}

extension RepositoryConfiguration {
    func with(
        access: StoreAccess? = nil, durability: StoreDurability? = nil, history: StoreHistory? = nil
    ) -> RepositoryConfiguration {
        var configuration = self
        configuration.access = access ?? self.access
        configuration.durability = durability ?? self.durability
        configuration.history = history ?? self.history
        return configuration
    }
}

extension SilenceLimits {
    /// Limits with which a test on two busy cores receives each commit with its rows, however late.
    static let patient = SilenceLimits(
        waited: .seconds(60), waitedAgain: .seconds(60), requested: .seconds(60), lost: .seconds(120))
}

extension PostgresRepository {
    /// Opens a store whose stream lacks a rule, or has other timeouts.
    convenience init(
        _ store: String, following entities: [any Entity.Type], rules: StreamRules = .all,
        silence: SilenceLimits = SilenceLimits(), configuration: RepositoryConfiguration = RepositoryConfiguration(),
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil
    ) throws(RepositoryError) {
        let declaration = try StoreDeclaration(entities, [], dropping: [], whenNew: whenNew, in: PostgresTypes())
        try self.init(
            store, declaration, liveSource: .replication, rules: rules, silence: silence,
            configuration: configuration)
    }
}

extension PostgresRepository {
    /// The stream that reports commits with their rows; `nil` with notifications.
    var stream: PostgresStream? { source as? PostgresStream }
}

extension Repository {
    /// Waits until a server's stream reports commits with their rows.
    func streaming() async {
        guard let stream = (self as? PostgresRepository)?.stream else { return }
        await withCheckedContinuation { continuation in stream.whenActive { continuation.resume() } }
    }
}

/// Gives a test an open repository of SQLite, and removes its store afterwards.
func withSQLite(
    _ kind: StoreKind, _ entities: [any Entity.Type] = [Film.self],
    configuration: RepositoryConfiguration = RepositoryConfiguration(),
    _ body: (SQLiteRepository) async throws -> Void
) async throws {
    try await withFolder { folder in
        let store = kind == .memory ? StoreLocation.inMemory : .file(folder + "/store.sqlite")
        let repository = try SQLiteRepository(
            store, entities: entities, configuration: configuration.with(durability: .normal))
        try await body(repository)
        await closed(repository)
    }
}

/// Gives a test its own folder, and removes it afterwards.
func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
}

/// Waits until a repository is closed.
func closed(_ repository: any Repository) async {
    for await _ in repository.close().values {}
}

/// Expects that `body` fails with an error that `isExpected` recognises.
func expectFailure<Value>(
    _ isExpected: (RepositoryError) -> Bool, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    do {
        let value = try await body()
        Issue.record("It should have failed, but returned \(value).", sourceLocation: sourceLocation)
    } catch let error as RepositoryError {
        #expect(isExpected(error), "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("The error is not typed: \(error).", sourceLocation: sourceLocation)
    }
}

extension RepositoryError {
    var isNotFound: Bool { if case .notFound = self { true } else { false } }
    var isConstraint: Bool { if case .constraint = self { true } else { false } }
    var isCancelled: Bool { if case .cancelled = self { true } else { false } }
    var isReadOnly: Bool { if case .readOnly = self { true } else { false } }
    var isClosed: Bool { if case .closed = self { true } else { false } }
    var isMisuse: Bool { if case .misuse = self { true } else { false } }
    var isDecoding: Bool { if case .decoding = self { true } else { false } }
    var isEncoding: Bool { if case .encoding = self { true } else { false } }
    var isOverflow: Bool { if case .overflow = self { true } else { false } }
    var isTooBig: Bool { if case .tooBig = self { true } else { false } }
    var isTransactionEnded: Bool { if case .transactionEnded = self { true } else { false } }
}

extension Repository {
    /// How a repository with a store has kept its live queries up to date.
    var statistics: LiveStatistics {
        if let repository = self as? SQLiteRepository { return repository.statistics }
        if let repository = self as? PostgresRepository { return repository.statistics }
        preconditionFailure("\(self) has no store behind it.")
    }
}
