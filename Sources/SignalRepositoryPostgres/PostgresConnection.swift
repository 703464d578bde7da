import CPostgres
import Foundation
import SignalRepository
import Signals

/// A connection is used by one thread at a time, as it asserts: it belongs to its owner's queue, and is not `Sendable`.
final class PostgresConnection: StoreConnection {
    let dialect: any Dialect = PostgresDialect()
    /// The server's address as messages name it, without a password.
    private(set) var address = "PostgreSQL"
    private(set) var handle: OpaquePointer?
    private(set) var parameters: ConnectionString
    let confinement = Confinement()
    /// What else is said to the server at the beginning, and again on each new connection.
    private var settings: [String] = []
    /// How many connections there have been: statements are prepared on each of them.
    private(set) var generation = 0
    /// Which of them has said LISTEN; 0 while none has.
    var listeningGeneration = 0
    private var isClosed = false
    /// Tells afterwards whether a transaction was committed whose connection was lost in the midst of it.
    var witness: (any PostgresSource)?
    var author: String?
    /// How long the witness is asked for.
    var patience: Duration = .zero
    /// The schema that tables are made in, which is the first of the search path.
    var schema: String { parameters.session?.schema ?? "" }
    private let log: StatementLog?
    var statements: [StatementKey: PostgresStatement] = [:]
    var preparedCount = 0
    /// How many statements are kept prepared.
    let capacity = 100
    var spin = AdaptiveSpin()
    var flag: CancellationFlag?
    /// How many savepoints are open, within which a transaction goes on after a statement has failed.
    var savepointDepth = 0
    private(set) var changes = 0
    private(set) var totalChanges = 0
    private(set) var lastKey: Int64 = 0
    /// What was begun when it is one statement, without a transaction around it.
    var statementKind: TransactionKind?
    /// The tables that are locked, in a transaction that locks what it reads, and those that can be.
    var locked: (tables: Set<String>, possible: Set<String>)?
    /// The tables in which statements of the transaction have looked for rows.
    var touched: Set<String> = []
    /// Hears which tables the program's own statements read, whatever was declared.
    var noteRead: ((Set<String>) -> Void)?
    /// Whether one of its statements was the program's own, and calls something, which may read other tables.
    var hasCalled = false
    /// How many were executed of what was to be one.
    var statementCount = 0
    var mustReadAgain = false
    /// Ends the block of rows that is being sent.
    var interrupted: (() -> Void)?
    /// Has a statement committed that is a transaction by itself: it is given the tables that the statement writes, and
    /// what executes it and returns how many rows were changed.
    var committing: ((Set<String>, () throws(RepositoryError) -> Int) throws(RepositoryError) -> Void)?
    /// The reference that the last failure named.
    var brokenReference: ServerFailure.Reference?
    /// The table in which a key was taken already, of those that have failed since this was last set.
    var takenKey: String?
    /// Whether a statement of the program has changed tables, so that prepared ones may not fit them any more.
    var hasChangedSchema = false
    /// Whether the open transaction has executed such a statement.
    var isChangingSchema = false
    /// How often connections of the store have changed its tables, and what of that is known here.
    var schemaChanges: SchemaChanges?
    var knownSchemaChanges = 0
    /// The tables that have triggers of others; `nil` while that was not asked.
    var triggeredTables: Set<String>?
    /// The tables that each view reads which the store was opened with.
    var viewTables: [String: Set<String>] = [:]

    /// Two texts that Swift takes for the same are two statements.
    struct StatementKey: Hashable {
        let text: ExactText
        let types: [Oid]
    }

    /// Connects; parameters that are not given come from the environment, as libpq has it.
    convenience init(_ parameters: String) throws(RepositoryError) {
        try self.init(ConnectionString(parameters))
    }

    /// Connects as the first connection of a store does, or as it did.
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
            throw .cannotOpen(path: address, reason: reason.isEmpty ? "there is no memory" : reason)
        }
        // What the server says beside its answers is not for the standard error of a program.
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

    /// Without its schema, the next one of the path would be in its place.
    private func checkSchema() throws(RepositoryError) {
        // Not counted: the work may be allowed only one statement.
        let result = try confinement.during { () throws(RepositoryError) in
            try answer(to: "SELECT current_schema()")
        }
        defer { PQclear(result) }
        // NULL is an empty text here.
        guard PQgetvalue(result, 0, 0).map({ String(cString: $0) }) == schema else {
            throw .cannotOpen(path: address, reason: "there is no schema \(schema) any more that the role may use")
        }
    }

    /// Says something to the server, now and on each new connection.
    func keep(_ setting: String) throws(RepositoryError) {
        try run(setting)
        settings.append(setting)
    }

    /// Connects again if the server has hung up: to be called where nothing has been sent that would be lost.
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

    /// Whether the server has not hung up, as far as is known here: nothing is sent, and nobody is waited for.
    func isAlive() -> Bool { confinement.during { isHandleAlive() } }

    private func isHandleAlive() -> Bool {
        while isOpen, let handle {
            var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 0) > 0 else { return true }
            // A notification, a notice, or the end.
            if PQconsumeInput(handle) == 0 { return false }
        }
        return false
    }

    /// Whether the server has still to answer, though nobody waits for it: it would answer something else.
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

// Statements.
extension PostgresConnection {
    func statement(_ sql: SQLText) throws(RepositoryError) -> any StoreStatement {
        if sql.isRaw, let word = Self.endingWord(of: sql.text) {
            throw .misuse(
                detail: "\(word) would end the transaction, or change the connection: \(sql.text.prefix(1_000))")
        }
        let placeholders = Placeholders(sql.text, sql.bindings)
        guard placeholders.indexes == Set(sql.bindings.indices) else {
            throw .misuse(
                detail: "\(sql.bindings.count.counted("value")) for "
                    + "\(placeholders.indexes.count.counted("parameter")) in: "
                    + "\(sql.text.prefix(1_000))")
        }
        let values = placeholders.order.map { sql.bindings[$0] }
        let statement = try prepared(placeholders.text, values.map(\.typeNumber), sql)
        statement.reset()
        try statement.bind(values)
        return statement
    }

    /// A cursor: a portion of rows is fetched when the one before has been read.
    func rows(of sql: SQLText) throws(RepositoryError) -> any StoreStatement {
        let declaration = try statement("DECLARE stream NO SCROLL CURSOR FOR \(sql)")
        try declaration.run()
        // The tables are locked now, and no row was delivered yet.
        try concludeReading()
        if mustReadAgain {
            try rollback()
            try begin(.read)
            return try rows(of: sql)
        }
        let statement = try prepared("FETCH FORWARD 1000 FROM stream", parameterCount: 0)
        statement.portion = 1_000
        // Each portion calls the functions that the declaration names.
        statement.mayChangeSettings = (declaration as? PostgresStatement)?.mayChangeSettings ?? false
        return statement
    }

    func bulk<Item: Entity>(
        _ kind: FixedStatement, of entity: Item.Type, isWhole: Bool
    ) throws(RepositoryError) -> (any StoreBulk)? {
        try PostgresBulk(kind, of: entity, isWhole: isWhole, on: self)
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

    /// Executes a statement, and returns its result, which is the caller's.
    func execute(_ statement: PostgresStatement) throws(RepositoryError) -> OpaquePointer {
        try countStatement(statement)
        if locked != nil { try lock(statement.access.read) }
        for value in statement.parameters.values { try check(value) }
        statement.begun = log == nil ? nil : ContinuousClock().now
        let result = try readingAgain { () throws(RepositoryError) in
            try prepareAnew(statement)
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
                // The statement was committed; the next connection gets its settings when it is made.
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

    /// The answer to a statement; one that is a transaction by itself is also its commit.
    private func answer(to statement: PostgresStatement) throws(RepositoryError) -> OpaquePointer {
        let handle = try open()
        func changed(_ result: OpaquePointer) -> Int {
            // What is read is counted too.
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

    /// What was to be one statement reads no more than that in one state of the store, and changes it but once.
    private func countStatement(_ statement: PostgresStatement) throws(RepositoryError) {
        guard let statementKind else { return }
        // What reads before it writes is more than one statement.
        if statementKind == .writingStatement, statementCount == 0, statement.isReadOnly { return try begin(.write) }
        statementCount += 1
        guard statementCount > 1, statementKind == .readingStatement || !statement.isReadOnly else { return }
        mustReadAgain = true
        throw .unexpected(
            Diagnosis(
                engine: Self.engine, code: "25P01", message: "one statement was expected, and this is another",
                sql: statement.sql))
    }

    /// A text with NUL, which PostgreSQL does not have, is refused before it is sent.
    func check(_ value: SQLValue) throws(RepositoryError) {
        guard case .text(let text) = value else { return }
        // Of every text that is stored: `contains` would take a tenth of a batch.
        let holdsNUL = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
        guard holdsNUL ?? text.utf8.contains(0) else { return }
        throw .encoding(entity: "statement", column: "parameter", detail: "PostgreSQL holds no text with NUL")
    }

    /// The connection, ready for a statement.
    func open() throws(RepositoryError) -> OpaquePointer {
        // Between two items of a block, the program may ask for something else.
        if let interrupted {
            self.interrupted = nil
            interrupted()
        }
        guard !isClosed else { throw .closed }
        guard let handle else { throw lost(nil) }
        return handle
    }

    /// Notes rows that were changed without a statement of ours.
    func note(changes count: Int) {
        changes = count
        totalChanges += count
    }
}
