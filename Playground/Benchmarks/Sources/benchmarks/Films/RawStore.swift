import CSQLite
import Foundation

/// A store on SQLite's C API alone: the least that the work can cost.
final class RawStore {
    private let database: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    init(_ path: String) throws {
        var database: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &database, flags, nil)
        guard let database, code == SQLITE_OK else { throw RawFailure(code: code) }
        self.database = database
        try execute("PRAGMA synchronous = NORMAL")
    }

    /// The connection, for API calls that need no statement, such as a backup.
    var handle: OpaquePointer { database }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(database)
    }

    func execute(_ sql: String) throws {
        try check(sqlite3_exec(database, sql, nil, nil, nil))
    }

    /// Inserts the films with one statement, in one transaction.
    func insert(_ films: [Film]) throws {
        try write(FilmTable.insert, films) { bind($0, to: $1) }
    }

    /// Reads every film.
    func fetchAll() throws -> [Film] { try read(FilmTable.selectAll) { film($0) } }

    /// Reads the film with the id.
    func fetch(_ id: UUID) throws -> Film? {
        let statement = try prepare(FilmTable.selectByID)
        defer { sqlite3_reset(statement) }
        bind(id, to: statement)
        return try step(statement) ? film(statement) : nil
    }

    /// Reads the films with the ids, in one transaction.
    func fetch(_ ids: [UUID]) throws -> [Film] {
        try execute("BEGIN")
        let films = try ids.compactMap { try fetch($0) }
        try execute("COMMIT")
        return films
    }

    /// Runs a statement once for each row, in one transaction.
    @inline(__always)
    func write<Row>(_ sql: String, _ rows: [Row], bind: (Row, OpaquePointer) -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        let statement = try prepare(sql)
        for row in rows {
            bind(row, statement)
            let code = sqlite3_step(statement)
            guard code == SQLITE_DONE else { throw RawFailure(code: code) }
            sqlite3_reset(statement)
        }
        try execute("COMMIT")
    }

    /// Runs a statement once, which is a transaction by itself.
    func writeOne(_ sql: String, bind: (OpaquePointer) -> Void) throws {
        let statement = try prepare(sql)
        bind(statement)
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw RawFailure(code: code) }
    }

    /// Makes a value from each row of a query.
    @inline(__always)
    func read<Row>(
        _ sql: String, bind: (OpaquePointer) -> Void = { _ in }, make: (OpaquePointer) -> Row
    ) throws -> [Row] {
        let statement = try prepare(sql)
        defer { sqlite3_reset(statement) }
        bind(statement)
        var rows: [Row] = []
        while try step(statement) { rows.append(make(statement)) }
        return rows
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw RawFailure(code: SQLITE_MISUSE) }
        statements[sql] = statement
        return statement
    }

    private func step(_ statement: OpaquePointer) throws -> Bool {
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW || code == SQLITE_DONE else { throw RawFailure(code: code) }
        return code == SQLITE_ROW
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw RawFailure(code: code) }
    }
}

/// A result code of SQLite that is not a success.
struct RawFailure: Error {
    let code: Int32
}
