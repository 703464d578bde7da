import CPostgres
import Foundation
import RepositoryCore

// Prepared statements. After a reconnect, each is prepared again when it is next used.
extension PostgresConnection {
    func prepared(_ sql: SQLText) throws(RepositoryError) -> PostgresStatement {
        let placeholders = Placeholders(sql.text, nil)
        let types = [Oid](repeating: 0, count: placeholders.order.count)
        return try prepared(placeholders.text, types, sql)
    }

    /// Prepares a statement whose placeholders already have PostgreSQL's syntax.
    func prepared(_ sql: SQLText, parameterCount: Int) throws(RepositoryError) -> PostgresStatement {
        try prepared(sql.text, [Oid](repeating: 0, count: parameterCount), sql)
    }

    func prepared(
        _ text: String, _ types: [Oid], _ sql: SQLText
    ) throws(RepositoryError) -> PostgresStatement {
        let key = StatementKey(text: ExactText(text), types: types)
        if let known = statements[key] {
            try prepareAgain(known)
            return known
        }
        if statements.count >= capacity { try forgetOne() }
        preparedCount += 1
        let name = "s\(preparedCount)"
        guard !text.utf8.contains(0) else {
            throw .misuse(detail: "a statement contains a NUL, where the server would cut it: \(text.prefix(1_000))")
        }
        // Internal queries always compile, so they need no savepoint.
        let isWork = sql.isRaw || !sql.tables.isEmpty || sql.changedTable != nil
        var mayChangeSettings = false
        let signature = try retryingFirstRead { () throws(RepositoryError) in
            let signature = try self.prepare(name, text, types, isWork: isWork)
            if sql.isRaw { mayChangeSettings = Self.calls(text) ? true : try namesSetter(text) }
            return signature
        }
        let statement = PostgresStatement(
            text, name: name, sentTypes: types, signature: signature, access: try access(of: sql), on: self)
        statement.generation = generation
        statement.callsFunctions = sql.isRaw && text.contains("(")
        statement.mayChangeSettings = mayChangeSettings
        statements[key] = statement
        return statement
    }

    /// Whether a statement names something that may change the connection's settings: the updatable view `pg_settings`,
    /// or a function that is not a part of PostgreSQL.
    private func namesSetter(_ text: String) throws(RepositoryError) -> Bool {
        if text.range(of: "pg_settings", options: .caseInsensitive) != nil { return true }
        // A quoted name is the text between the quotes; any other name is a word.
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }.map { $0.lowercased() }
        let quoted = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
        let names = Set(words + quoted)
        let result = try answer(
            to: """
                SELECT 1 FROM pg_proc WHERE proname IN \
                (\(names.sorted().map(Identifier.literal).joined(separator: ", "))) \
                AND pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) \
                AND NOT starts_with(proname, 'signal_repository_') AND prorettype <> 'trigger'::regtype LIMIT 1
                """)
        defer { PQclear(result) }
        return PQntuples(result) > 0
    }

    private func prepare(
        _ name: String, _ text: String, _ types: [Oid], isWork: Bool
    ) throws(RepositoryError) -> PostgresStatement.Signature {
        let handle = try open()
        let prepare = { () throws(RepositoryError) in
            let isSent = types.withUnsafeBufferPointer { types in
                PQsendPrepare(handle, name, text, Int32(types.count), types.baseAddress) == 1
            }
            guard isSent else { throw self.lost(text) }
            PQclear(try self.answer(handle, text))
        }
        // In a savepoint, a statement that does not compile leaves the transaction usable.
        if isWork { try attempt(prepare) } else { try prepare() }
        guard PQsendDescribePrepared(handle, name) == 1 else { throw lost(text) }
        let description = try answer(handle, text)
        defer { PQclear(description) }
        return PostgresStatement.Signature(
            parameterTypes: (0..<Int32(types.count)).map { PQparamtype(description, $0) },
            columnNames: (0..<PQnfields(description)).map { index in
                PQfname(description, index).map { String(cString: $0) } ?? ""
            },
            columnTypes: (0..<PQnfields(description)).map { PQftype(description, $0) })
    }

    /// Prepares a statement again after a reconnect.
    func prepareAgain(_ statement: PostgresStatement) throws(RepositoryError) {
        guard statement.generation != generation else { return }
        let signature = try retryingFirstRead { () throws(RepositoryError) in
            try self.prepare(statement.name, statement.sql, statement.sentTypes, isWork: true)
        }
        guard signature == statement.signature else {
            throw outdated(statement.sql, "the columns of the statement have changed since it was prepared")
        }
        statement.generation = generation
    }

    /// Calls `work`; if it is the first statement of a read and the connection is lost, reconnects and calls it again.
    func retryingFirstRead<Output>(
        _ work: () throws(RepositoryError) -> Output
    ) throws(RepositoryError) -> Output {
        do throws(RepositoryError) {
            return try confinement.during(work)
        } catch {
            guard statementKind == .readingStatement, statementCount <= 1, !isOpen else { throw error }
            try reconnect()
            return try confinement.during(work)
        }
    }

    /// Returns the tables that a statement reads and writes.
    ///
    /// Preparing a statement locks its tables. So for raw SQL in a transaction, the method returns all locked tables,
    /// including the tables of earlier statements.
    private func access(of sql: SQLText) throws(RepositoryError) -> TableAccess {
        var access = TableAccess()
        let words = sql.isRaw ? Self.words(of: sql.text) : []
        access.changesSchema = words.first.map { ["ALTER", "CREATE", "DROP"].contains($0) } ?? false
        guard sql.isRaw, isInTransaction else {
            access.read = Set(sql.tables.flatMap { viewTables[$0] ?? [$0] })
            access.written = Set(sql.changedTable.map { [$0] } ?? [])
            if let table = sql.changedTable, try hasTriggers(table) { access.writtenByTriggers = [table] }
            return access
        }
        // An earlier statement may have locked a table for writing, so this statement's words decide whether it writes.
        let reading = ["SELECT", "TABLE", "VALUES", "WITH", "EXPLAIN", "SHOW"]
        let changing = ["INSERT", "UPDATE", "DELETE", "MERGE", "INTO", "ANALYZE"]
        let isWriting = words.first.map { !reading.contains($0) } ?? false || words.contains(where: changing.contains)
        for (name, isWritten) in try lockedTables() {
            access.read.insert(name)
            if isWritten, isWriting { access.written.insert(name) }
        }
        noteRead?(access.read)
        return access
    }

    func tablesOfFunctions() -> Set<String> {
        guard hasCalled, isInTransaction else { return [] }
        let tables = (try? Set(lockedTables().map(\.name))) ?? []
        noteRead?(tables)
        return tables
    }

    /// Returns an expression for the name of the table `c`, qualified with its schema unless that is `schema`.
    private static func name(unlessIn schema: String) -> String {
        "CASE WHEN c.relnamespace = \(schema) THEN c.relname::text "
            + "ELSE c.relnamespace::regnamespace::text || '.' || c.relname END"
    }

    /// Returns the tables that the transaction has locked so far; they include all tables that it has read.
    private func lockedTables() throws(RepositoryError) -> [(name: String, isWritten: Bool)] {
        let result = try answer(
            to: """
                SELECT DISTINCT \(Self.name(unlessIn: SchemaShape.namespace)), l.mode <> 'AccessShareLock' \
                FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
                WHERE l.pid = pg_backend_pid() AND c.relkind IN ('r', 'p') \
                AND c.relnamespace <> 'pg_catalog'::regnamespace
                """)
        defer { PQclear(result) }
        return (0..<PQntuples(result)).compactMap { row in
            guard let name = PQgetvalue(result, row, 0), let isWritten = PQgetvalue(result, row, 1) else { return nil }
            return (String(cString: name), String(cString: isWritten) == "t")
        }
    }

    /// Whether a table has triggers that this library did not create, which may change the written values.
    ///
    /// The connection queries this once, and again after a reconnect or a schema change by the repository.
    private func hasTriggers(_ table: String) throws(RepositoryError) -> Bool {
        if let triggeredTables { return triggeredTables.contains(table) }
        let sql = """
            SELECT DISTINCT c.relname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid \
            WHERE NOT g.tgisinternal AND g.tgname <> 'signal_repository_notify' AND g.tgenabled <> 'D' \
            AND c.relnamespace = \(SchemaShape.namespace)
            """
        // `statementCount` does not include this statement, because it counts only the statements of the caller.
        let result = try answer(to: sql)
        defer { PQclear(result) }
        let tables = Set((0..<PQntuples(result)).compactMap { PQgetvalue(result, $0, 0).map { String(cString: $0) } })
        triggeredTables = tables
        return tables.contains(table)
    }

    // A view's columns may have any type and collation, so the library and the server may compare values differently.
    func foreignLayouts(of tables: Set<String>) -> [String: TableLayout]? {
        tables.contains { viewTables[$0] != nil } ? nil : [:]
    }

    /// Returns the tables that each view of the schema reads, directly or through other views.
    func tablesOfViews() throws(RepositoryError) -> [String: Set<String>] {
        let reads = """
            JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid \
            AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class
            """
        let rows = try rows(
            """
            WITH RECURSIVE reads(view, relation) AS ( \
            SELECT r.ev_class, d.refobjid FROM pg_rewrite r \(reads) \
            UNION SELECT s.view, d.refobjid FROM reads s JOIN pg_rewrite r ON r.ev_class = s.relation \(reads)) \
            SELECT DISTINCT v.relname, \(Self.name(unlessIn: "v.relnamespace")) \
            FROM reads s JOIN pg_class v ON v.oid = s.view JOIN pg_class c ON c.oid = s.relation \
            WHERE v.relnamespace = \(SchemaShape.namespace) AND v.relkind = 'v' AND c.relkind IN ('r', 'p')
            """)
        var tables: [String: Set<String>] = [:]
        for row in rows {
            guard case .text(let view) = row[0], case .text(let table) = row[1] else { continue }
            tables[view, default: []].insert(table)
        }
        return tables
    }

    /// The maximum number of parameters of a statement, which a message counts in 16 bits.
    static let maxParameters = Int(UInt16.max)

    /// Throws if a value is too long, or a text with NUL, which PostgreSQL cannot store.
    func check(_ value: SQLValue) throws(RepositoryError) {
        guard value.byteCount <= SQLText.maxBytes else {
            throw .tooBig(detail: "a value of \(value.byteCount) bytes, at most \(SQLText.maxBytes) are allowed")
        }
        guard case .text(let text) = value else { return }
        // This check runs for every stored text; `contains` would take a tenth of the time of a batch.
        let holdsNUL = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
        guard holdsNUL ?? text.utf8.contains(0) else { return }
        throw .encoding(entity: "statement", column: "parameter", detail: "PostgreSQL cannot store text with NUL")
    }

    /// Returns the words of a statement in upper case, including words in quotes.
    private static func words(of sql: String) -> [String] {
        sql.split { !$0.isLetter && $0 != "_" }.map { $0.uppercased() }
    }

    /// Removes one prepared statement that is not in use, to make room for another.
    private func forgetOne() throws(RepositoryError) {
        var index = statements.values.startIndex
        while index != statements.values.endIndex {
            if isKnownUniquelyReferenced(&statements.values[index]) {
                let statement = statements.remove(at: index).value
                // The server has already dropped the statements of a lost connection.
                if statement.generation == generation { try run("DEALLOCATE \(statement.name)") }
                return
            }
            statements.values.formIndex(after: &index)
        }
    }
}
