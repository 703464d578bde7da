import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Checks what bodies can rely on if an engine refuses all work of a transaction after a failed statement.
@Suite("R16 An engine that aborts a transaction at the first error") struct AbortingEngineTests {
    /// Runs a body in a transaction, commits, and returns the numbers of the stored films.
    private func stored(
        usesSavepoints: Bool, _ body: (WriteTransaction) throws -> Void
    ) throws -> [Int] {
        let memory = try Memory(Film.self)
        let connection = AbortingConnection(memory.connection, usesSavepoints: usesSavepoints)
        let session = Session(connection)
        let transaction = WriteTransaction(session, CancellationFlag(), author: nil)
        try connection.begin(.write)
        try transaction.run { try body(transaction) }
        try connection.commit()
        return try memory.items().map(\.number)
    }

    /// Bodies that catch an error, and then make a write that must be stored.
    private static let bodies: [@Sendable (WriteTransaction) throws -> Void] = [
        { store in
            try store.create(Film.numbered(1))
            #expect(throws: RepositoryError.self) { try store.create(Film.numbered(1)) }
            try store.create(Film.numbered(2))
        },
        { store in
            try store.create(Film.numbered(1))
            #expect(throws: RepositoryError.self) { try store.insert([Film.numbered(3), Film.numbered(1)]) }
            try store.create(Film.numbered(2))
        },
        { store in
            try store.create(Film.numbered(1))
            #expect(throws: RepositoryError.self) { try store.execute("UPDATE Nothing SET title = 1") }
            #expect(throws: RepositoryError.self) { try store.execute("UPDATE Film SET title = NULL") }
            #expect(throws: RepositoryError.self) { try store.rows("SELECT abs(-9223372036854775807 - 1)") }
            try store.create(Film.numbered(2))
        },
        { store in
            try store.create(Film.numbered(1))
            #expect(throws: RepositoryError.self) {
                try store.transaction { inner in
                    try inner.create(Film.numbered(3))
                    try inner.create(Film.numbered(3))
                }
            }
            let result = try store.create([Film.numbered(1), Film.numbered(2)])
            #expect(result.failed.count == 1)
        },
    ]

    @Test("A body that catches an error can continue", arguments: bodies.indices)
    func goesOn(number: Int) throws {
        #expect(try stored(usesSavepoints: true, Self.bodies[number]) == [1, 2])
    }

    @Test("Without savepoints it cannot, because the engine of these tests aborts", arguments: bodies.indices)
    func aborts(number: Int) throws {
        #expect(throws: (any Error).self) {
            try stored(usesSavepoints: false) { store in
                _ = try? store.execute("UPDATE Nothing SET title = 1")
                try Self.bodies[number](store)
            }
        }
    }
}

/// SQLite's connection, made to refuse all work of a transaction after a failed statement.
private final class AbortingConnection: StoreConnection {
    private let base: Connection
    private let usesSavepoints: Bool
    private var attempts = 0
    fileprivate var isAborted = false

    init(_ base: Connection, usesSavepoints: Bool) {
        (self.base, self.usesSavepoints) = (base, usesSavepoints)
    }

    /// Does work in a transaction, and aborts the transaction if the work fails.
    fileprivate func use<Output>(_ work: () throws(RepositoryError) -> Output) throws(RepositoryError) -> Output {
        if isAborted {
            throw .unexpected(Diagnosis(engine: "Test", code: "25P02", message: "the transaction is aborted"))
        }
        do throws(RepositoryError) {
            return try work()
        } catch {
            isAborted = isInTransaction
            throw error
        }
    }

    var dialect: any Dialect { base.dialect }

    func statement(_ sql: SQLText) throws(RepositoryError) -> AbortingStatement {
        let statement = try attempt { () throws(RepositoryError) in
            try use { () throws(RepositoryError) in try base.statement(sql) }
        }
        return AbortingStatement(statement, on: self)
    }

    func prepared(_ sql: SQLText) throws(RepositoryError) -> AbortingStatement {
        AbortingStatement(try use { () throws(RepositoryError) in try base.prepared(sql) }, on: self)
    }

    func attempt<Output>(_ work: () throws(RepositoryError) -> Output) throws(RepositoryError) -> Output {
        guard usesSavepoints, isInTransaction else { return try work() }
        attempts += 1
        defer { attempts -= 1 }
        let depth = 1_000 + attempts
        try use { () throws(RepositoryError) in try base.savepoint(.begin, depth: depth) }
        do throws(RepositoryError) {
            let output = try work()
            try base.savepoint(.release, depth: depth)
            return output
        } catch {
            isAborted = false
            try base.savepoint(.rollback, depth: depth)
            throw error
        }
    }

    func savepoint(_ step: SavepointStep, depth: Int) throws(RepositoryError) {
        if step == .rollback { isAborted = false }
        try use { () throws(RepositoryError) in try base.savepoint(step, depth: depth) }
    }

    func commit() throws(RepositoryError) { try use { () throws(RepositoryError) in try base.commit() } }

    func rollback() throws(RepositoryError) {
        isAborted = false
        try base.rollback()
    }

    func begin(_ kind: TransactionKind) throws(RepositoryError) { try base.begin(kind) }
    func forgetStatements() { base.forgetStatements() }
    func takeRecompilation() -> Bool { base.takeRecompilation() }
    var isInTransaction: Bool { base.isInTransaction }
    func withCancellation<Result, Failure: Error>(
        _ flag: CancellationFlag?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result { try base.withCancellation(flag, body) }
    var changes: Int { base.changes }
    var totalChanges: Int { base.totalChanges }
    var lastKey: Int64 { base.lastKey }
    func brokenReference(by values: (_ column: String) -> SQLValue?, in table: String) throws(RepositoryError)
        -> [String]?
    { try base.brokenReference(by: values, in: table) }
    func restrictingReference(
        _ rows: SQLText, of table: String, isDeletion: Bool
    ) throws(RepositoryError) -> [String]? {
        try base.restrictingReference(rows, of: table, isDeletion: isDeletion)
    }
    func diagnosis(ofTrigger message: String, _ statement: any StoreStatement) -> Diagnosis {
        base.diagnosis(ofTrigger: message, statement)
    }
    func naming(_ error: RepositoryError, of statement: any StoreStatement) -> RepositoryError {
        base.naming(error, of: statement)
    }
    func close() { base.close() }
}

private final class AbortingStatement: StoreStatement {
    private let base: any StoreStatement
    private let connection: AbortingConnection

    init(_ base: any StoreStatement, on connection: AbortingConnection) {
        (self.base, self.connection) = (base, connection)
    }

    func step() throws(RepositoryError) -> Bool {
        try connection.use { () throws(RepositoryError) in try base.step() }
    }

    var sql: String { base.sql }
    var access: TableAccess { base.access }
    var writtenByTriggers: Set<String> { base.writtenByTriggers }
    var isReadOnly: Bool { base.isReadOnly }
    var columnNames: [String] { base.columnNames }
    var columnCount: Int { base.columnCount }
    var row: RowSource { base.row }
    var target: RowTarget { base.target }
    func reset() { base.reset() }
}
