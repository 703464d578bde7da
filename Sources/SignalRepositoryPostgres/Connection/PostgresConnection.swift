import CPostgres
import Foundation
import RepositoryCore
import Signals

/// A connection to a PostgreSQL server, used on the queue of its owner.
///
/// The class is not `Sendable`, and asserts that only one thread uses a connection at a time.
final class PostgresConnection: StoreConnection {
    let dialect: any Dialect = PostgresDialect()
    /// The server's address for messages, without a password.
    private(set) var address = "PostgreSQL"
    private(set) var handle: OpaquePointer?
    private(set) var parameters: ConnectionString
    let confinement = Confinement()
    /// The SQL statements that `keep(_:)` has added, which each reconnect executes again.
    private var settings: [String] = []
    /// How many times this object has connected.
    ///
    /// Statements must be prepared again for each new connection.
    private(set) var generation = 0
    /// The generation for which LISTEN is in effect; 0 if LISTEN is not in effect.
    var listeningGeneration = 0
    private var isClosed = false
    /// Reports whether a transaction was committed, after its connection was lost during COMMIT.
    var commitStatusSource: (any PostgresSource)?
    var author: String?
    /// How long to query whether a transaction was committed, after its connection was lost during COMMIT.
    var outcomeTimeout: Duration = .zero
    /// The schema in which tables are created: the first one of the search path.
    var schema: String { parameters.session?.schema ?? "" }
    private let log: StatementLog?
    var statements: [StatementKey: PostgresStatement] = [:]
    var preparedCount = 0
    /// The largest number of statements that are kept prepared.
    let capacity = 100
    var spin = AdaptiveSpin()
    var flag: CancellationFlag?
    /// The number of open savepoints that `attempt(_:)` has created.
    var savepointDepth = 0
    private(set) var changes = 0
    private(set) var totalChanges = 0
    private(set) var lastKey: Int64 = 0
    /// The kind of work that is expected to be a single statement, and runs without BEGIN; `nil` in a transaction.
    var statementKind: TransactionKind?
    /// The tables locked so far and the tables that may be locked, after `begin(locking:of:)`; `nil` otherwise.
    var locked: (tables: Set<String>, possible: Set<String>)?
    /// The tables in which the transaction's statements have searched for rows.
    var touched: Set<String> = []
    /// Receives the names of the tables that raw SQL reads, including tables that no entity declares.
    var noteRead: ((Set<String>) -> Void)?
    /// Whether raw SQL of the transaction calls functions, which may read tables that the SQL does not name.
    var hasCalled = false
    /// The number of statements executed so far by work that should be a single statement.
    var statementCount = 0
    var needsReread = false
    /// Ends the COPY that is sending rows, before another statement is executed.
    var interrupted: (() -> Void)?
    /// Executes a statement outside a transaction, where the server commits it at once, and records that commit.
    ///
    /// The closure receives the tables that the statement writes, and a closure that executes the statement and returns
    /// the number of changed rows.
    var committing: ((Set<String>, () throws(RepositoryError) -> Int) throws(RepositoryError) -> Void)?
    /// The foreign key that the server named in its last failure.
    var brokenReference: ServerFailure.Reference?
    /// The table in which a primary key was last found to be already taken; the caller resets it.
    var takenKey: String?
    /// Whether the schema has changed, so that prepared statements may no longer fit it.
    var hasChangedSchema = false
    /// Whether the open transaction has changed the schema.
    var isChangingSchema = false
    /// Counts the repository's schema changes; this connection has taken the first `knownSchemaChanges` into account.
    var schemaChanges: SchemaChanges?
    var knownSchemaChanges = 0
    /// The tables with triggers that this library did not create; `nil` until they are queried.
    var triggeredTables: Set<String>?
    /// The tables that each declared view reads.
    var viewTables: [String: Set<String>] = [:]

    /// The key of a prepared statement, compared by bytes: texts that are equal in Swift may be different SQL.
    struct StatementKey: Hashable {
        let text: ExactText
        let types: [Oid]
    }

    /// Connects; libpq takes missing parameters from the environment.
    convenience init(_ parameters: String) throws(RepositoryError) {
        try self.init(ConnectionString(parameters))
    }

    /// Connects; the first connection of a store determines the session settings of all others.
    init(_ parameters: ConnectionString, log: StatementLog? = nil) throws(RepositoryError) {
        (self.parameters, self.log) = (parameters, log)
        try connect()
    }

    deinit {
        close()
    }

    func close() {
        statements.removeAll()
        isClosed = true
        disconnect()
    }

    func disconnect() {
        interrupted = nil
        confinement.during { PQfinish(handle) }
        handle = nil
    }

    private func connect() throws(RepositoryError) {
        disconnect()
        let handle = Self.connected(parameters.text)
        address = Self.address(of: handle)
        self.handle = handle
        guard let handle, PQstatus(handle) == CONNECTION_OK else {
            let reason = Self.message(of: handle)
            disconnect()
            throw .cannotOpen(path: address, reason: reason.isEmpty ? "memory ran out" : reason)
        }
        // By default, libpq writes notices to the program's standard error.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        generation += 1
        triggeredTables = nil
        do throws(RepositoryError) {
            try checkServer()
            if parameters.session == nil { parameters.session = try ServerSession(of: self) }
            try applySettings()
            try checkSchema()
        } catch {
            disconnect()
            throw error
        }
    }

    private func applySettings() throws(RepositoryError) {
        try run(([parameters.session?.settings].compactMap(\.self) + settings).joined(separator: "; "))
    }

    /// Throws if the schema is gone, because the server would use the next schema of the search path instead.
    private func checkSchema() throws(RepositoryError) {
        // `statementCount` does not include this statement, because it counts only the statements of the caller.
        let result = try confinement.during { () throws(RepositoryError) in
            try answer(to: "SELECT current_schema()")
        }
        defer { PQclear(result) }
        // For NULL, `PQgetvalue` returns an empty text.
        guard PQgetvalue(result, 0, 0).map({ String(cString: $0) }) == schema else {
            throw .cannotOpen(path: address, reason: "the schema \(schema) is gone, or the role may not use it")
        }
    }

    /// Applies a setting now, and again on each new connection.
    func keep(_ setting: String) throws(RepositoryError) {
        try run(setting)
        settings.append(setting)
    }

    /// Reconnects if the server has closed the connection, or an old answer is pending; no transaction may be open.
    func revive() throws(RepositoryError) {
        guard !isClosed else { throw .closed }
        guard !isAlive() || isAnswering else { return }
        try reconnect()
    }

    func reconnect() throws(RepositoryError) {
        guard !isClosed else { throw .closed }
        do throws(RepositoryError) {
            try connect()
        } catch {
            throw error.asLost
        }
    }

    /// Returns whether the connection seems to be open; sends nothing and does not wait.
    func isAlive() -> Bool { confinement.during { isHandleAlive() } }

    private func isHandleAlive() -> Bool {
        while isOpen, let handle {
            var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 0) > 0 else { return true }
            // The server has sent a notification or a notice, or has ended the connection.
            if PQconsumeInput(handle) == 0 { return false }
        }
        return false
    }

    /// Whether an earlier query is still unanswered; the next query would receive that query's answer.
    private var isAnswering: Bool { handle.map { PQtransactionStatus($0) == PQTRANS_ACTIVE } ?? false }

    private func checkServer() throws(RepositoryError) {
        guard let handle, PQserverVersion(handle) >= 130_000 else {
            throw .cannotOpen(path: address, reason: "the server is older than PostgreSQL 13")
        }
        guard PQparameterStatus(handle, "server_encoding").map({ String(cString: $0) }) == "UTF8" else {
            throw .cannotOpen(path: address, reason: "the database's encoding is not UTF8")
        }
    }
}

// Executing statements.
extension PostgresConnection {
    func statement(_ sql: SQLText) throws(RepositoryError) -> PostgresStatement {
        if sql.isRaw, let word = Self.endingWord(of: sql.text) {
            throw .misuse(
                detail: "\(word) would end the transaction or change the connection: \(sql.text.prefix(1_000))")
        }
        let placeholders = Placeholders(sql.text, sql.bindings)
        guard placeholders.indexes == Set(sql.bindings.indices) else {
            throw .misuse(
                detail: "\(sql.bindings.count.counted("value")) for "
                    + "\(placeholders.indexes.count.counted("parameter")) in: "
                    + "\(sql.text.prefix(1_000))")
        }
        let values = placeholders.order.map { sql.bindings[$0] }
        guard values.count <= Self.maxParameters else {
            throw .tooBig(detail: "a statement with \(values.count) values, at most \(Self.maxParameters) can be bound")
        }
        let statement = try prepared(placeholders.text, values.map(\.typeNumber), sql)
        statement.reset()
        try statement.bind(values)
        return statement
    }

    /// Returns a statement that reads rows through a cursor, and fetches the next batch after the last row of a batch.
    func rows(of sql: SQLText) throws(RepositoryError) -> PostgresStatement {
        let declaration = try statement("DECLARE stream NO SCROLL CURSOR FOR \(sql)")
        try declaration.run()
        // DECLARE has locked the tables. No row has been delivered yet, so the transaction can still begin again.
        try checkForReread()
        if needsReread {
            try rollback()
            try begin(.read)
            return try rows(of: sql)
        }
        let statement = try prepared("FETCH FORWARD 1000 FROM stream", parameterCount: 0)
        statement.fetchSize = 1_000
        // Each FETCH calls the functions that the DECLARE statement names.
        statement.mayChangeSettings = declaration.mayChangeSettings
        return statement
    }

    func bulk<Item: Entity>(
        _ kind: FixedStatement, of entity: Item.Type, isAtomic: Bool
    ) throws(RepositoryError) -> (any BulkWriter)? {
        try PostgresBulk(kind, of: entity, isAtomic: isAtomic, on: self)
    }

    func forgetStatements() {
        statements.removeAll()
        triggeredTables = nil
        try? run("DEALLOCATE ALL")
    }

    func takeRecompilation() -> Bool {
        defer { hasChangedSchema = false }
        let count = schemaChanges?.count ?? 0
        guard count == knownSchemaChanges else {
            knownSchemaChanges = count
            return true
        }
        return hasChangedSchema
    }

    /// Executes a statement; the caller clears the result.
    func execute(_ statement: PostgresStatement) throws(RepositoryError) -> OpaquePointer {
        try countStatement(statement)
        if locked != nil { try lock(statement.access.read) }
        for value in statement.parameters.values { try check(value) }
        statement.begun = log == nil ? nil : ContinuousClock().now
        let result = try retryingFirstRead { () throws(RepositoryError) in
            try prepareAgain(statement)
            return try answer(to: statement)
        }
        guard PQresultStatus(result) != PGRES_EMPTY_QUERY else {
            PQclear(result)
            throw .misuse(detail: "there is no statement in: \(statement.sql)")
        }
        if statement.returnsKey, PQntuples(result) > 0, let key = PQgetvalue(result, 0, 0) {
            lastKey = UnsafeRawPointer(key).loadUnaligned(as: Int64.self).bigEndian
        }
        if statement.access.changesSchema { (hasChangedSchema, isChangingSchema) = (true, true) }
        if isInTransaction, statementKind == nil {
            if statement.looksForRows, !statement.access.read.isSubset(of: touched) {
                touched.formUnion(statement.access.read)
            }
            hasCalled = hasCalled || statement.callsFunctions
        }
        if statement.mayChangeSettings {
            do throws(RepositoryError) {
                try withCancellation(nil) { () throws(RepositoryError) in try applySettings() }
            } catch {
                // Outside a transaction, the statement is already committed, so this method does not throw. The next
                // connection applies the settings.
                guard isInTransaction else {
                    disconnect()
                    return result
                }
                PQclear(result)
                throw error
            }
        }
        return result
    }

    func logExecution(of statement: PostgresStatement, rows: Int) {
        guard let begun = statement.begun else { return }
        let (seconds, attoseconds) = (ContinuousClock().now - begun).components
        log?.add(statement.sql, nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000, rows: rows)
    }

    /// Executes a statement; a write outside a transaction is also committed and recorded.
    private func answer(to statement: PostgresStatement) throws(RepositoryError) -> OpaquePointer {
        let handle = try open()
        func changed(_ result: OpaquePointer) -> Int {
            // For a statement that reads, the server reports the number of rows that were read.
            let isReading = PQcmdStatus(result)?.pointee == CChar(UInt8(ascii: "S"))
            changes = 0
            guard !isReading, !statement.isReadOnly || PQresultStatus(result) == PGRES_COMMAND_OK else { return 0 }
            changes = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
            totalChanges += changes
            return changes
        }
        func answer() throws(RepositoryError) -> OpaquePointer {
            let isSent = statement.parameters.withBytes { values, lengths, formats in
                PQsendQueryPrepared(
                    handle, statement.name, Int32(statement.parameters.count), values, lengths, formats, 1) != 0
            }
            guard isSent else { throw lost(statement.sql) }
            guard statement.isReceiving, PQsetSingleRowMode(handle) == 1 else {
                return try self.answer(handle, statement.sql)
            }
            return try nextRow(of: statement)
        }
        guard statementKind == .writingStatement, !isInTransaction, !statement.isReadOnly, let committing else {
            let result = try answer()
            _ = changed(result)
            return result
        }
        var result: OpaquePointer?
        do throws(RepositoryError) {
            try committing(statement.access.written) { () throws(RepositoryError) in
                let answer = try answer()
                result = answer
                return changed(answer)
            }
        } catch {
            throw isOpen ? error : outcomeUnknown
        }
        guard let result else { throw lost(statement.sql) }
        return result
    }

    /// Counts a statement of work that should be a single statement, and throws at the second one.
    ///
    /// The second statement would read a later snapshot, or be a separate commit.
    private func countStatement(_ statement: PostgresStatement) throws(RepositoryError) {
        guard let statementKind else { return }
        // Work that reads before it writes has more than one statement, so it needs a transaction.
        if statementKind == .writingStatement, statementCount == 0, statement.isReadOnly { return try begin(.write) }
        statementCount += 1
        guard statementCount > 1, statementKind == .readingStatement || !statement.isReadOnly else { return }
        needsReread = true
        throw .unexpected(
            Diagnosis(
                engine: Self.engine, code: "25P01", message: "a single statement was expected, and this is the second",
                sql: statement.sql))
    }

    /// Returns the handle of the open connection, ready for a statement.
    func open() throws(RepositoryError) -> OpaquePointer {
        // If a bulk write is sending rows with COPY, the COPY must end before another statement is executed.
        if let interrupted {
            self.interrupted = nil
            interrupted()
        }
        guard !isClosed else { throw .closed }
        guard let handle else { throw lost(nil) }
        return handle
    }

    /// Records the number of rows that a bulk write has changed.
    func note(changes count: Int) {
        changes = count
        totalChanges += count
    }
}
