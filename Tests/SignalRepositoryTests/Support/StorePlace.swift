import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// The place of a store that is opened repeatedly: a file, or a schema of the tests' server.
struct StorePlace: Sendable {
    let kind: StoreKind
    /// The parameters of the server.
    let parameters: String
    private let folder: TemporaryFolder

    init(_ kind: StoreKind) throws {
        self.kind = kind
        parameters = kind == .postgres ? try TestServer.shared.get().store() : ""
        folder = try TemporaryFolder()
    }

    func open(
        _ entities: [any Entity.Type], _ migrations: [Migration] = [], dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil, access: StoreAccess = .readWrite,
        liveSource: LiveSource = .replication, configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) throws(RepositoryError) -> any Repository {
        switch kind {
        case .postgres:
            try PostgresRepository(
                parameters, entities: entities, migrations: migrations, dropping: dropping, whenNew: whenNew,
                liveSource: liveSource, configuration: configuration.with(access: access))
        case .file, .memory:
            try SQLiteRepository(
                kind == .file ? .file(folder.file()) : .inMemory, entities: entities, migrations: migrations,
                dropping: dropping, whenNew: whenNew, configuration: configuration.with(access: access))
        }
    }

    /// Opens the store, and closes it afterwards.
    @discardableResult
    func with<Output>(
        _ entities: [any Entity.Type], _ migrations: [Migration] = [], dropping: [DroppedColumn] = [],
        _ body: (any Repository) async throws -> Output
    ) async throws -> Output {
        let repository = try open(entities, migrations, dropping: dropping)
        let output = try await body(repository)
        await closed(repository)
        return output
    }

    /// Returns the error of an opening, which must fail and leave every byte of a file unchanged.
    func refusal(
        _ entities: [any Entity.Type], _ migrations: [Migration] = [], access: StoreAccess = .readWrite
    ) throws -> RepositoryError {
        let before = try folder.contents()["store.sqlite"]
        let error = try thrown { () throws(RepositoryError) in try open(entities, migrations, access: access) }
        if try folder.contents()["store.sqlite"] != before {
            throw Changed()
        }
        return error
    }

    private struct Changed: Error {}

    /// Returns the detail of the mismatch between the store and the entities.
    func mismatch(_ entities: [any Entity.Type], access: StoreAccess = .readWrite) throws -> String {
        let error = try refusal(entities, access: access)
        guard case .schemaMismatch(let detail) = error else {
            Issue.record("\(error)")
            return ""
        }
        return detail
    }

    /// Runs raw statements on the server.
    func run(_ sql: String) throws { try PostgresConnection(parameters).run(sql) }

    /// Returns the rows of a statement on the server.
    func rows(_ sql: String) throws -> [[SQLValue]] { try PostgresConnection(parameters).rows(sql) }

    /// The engine's name for a storage class.
    func word(_ storageClass: StorageClass) -> String {
        switch (kind, storageClass) {
        case (.postgres, .integer): "bigint"
        case (.postgres, .real): "double precision"
        case (.postgres, .text): "text COLLATE \"C\""
        case (.postgres, _): "bytea"
        case (_, .integer): "INTEGER"
        case (_, .real): "REAL"
        case (_, .text): "TEXT"
        default: "BLOB"
        }
    }
}
