import Foundation

/// The table that holds a store's history, with a row for each commit.
struct HistoryTable {
    struct NewRow {
        var mark: Int64
        var author: String?
        var time: Date
        var rows: [UInt8]
        var undoes: UndoneCommit?
    }

    static let columns = [
        ("number", "INTEGER"), ("mark", "INTEGER"), ("time", "REAL"), ("author", "TEXT"), ("rows", "BLOB"),
        ("undoes", "INTEGER"), ("depth", "INTEGER"),
    ]

    /// The name that the history gives to the key of a table without a primary key.
    static let rowID = "_rowid_"

    private let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    var exists: Bool {
        get throws(RepositoryError) {
            let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?"
            return try connection.rows(sql, [.text(InternalTables.history)]) != [[.integer(0)]]
        }
    }

    /// Creates the table and its index in the open transaction.
    ///
    /// The index finds the commit that undoes a given commit.
    func create() throws(RepositoryError) {
        let name = InternalTables.history
        try connection.execute(
            """
            CREATE TABLE \(name) (number INTEGER PRIMARY KEY, mark INTEGER NOT NULL, time REAL NOT NULL, author TEXT, \
            rows BLOB NOT NULL, undoes INTEGER, depth INTEGER NOT NULL) STRICT
            """)
        try connection.execute("CREATE INDEX \(name)_undone ON \(name) (undoes) WHERE undoes IS NOT NULL")
        // If the identity table were created later, the history would record this schema change as unknown changes.
        try connection.execute(try connection.dialect.createIdentity().text)
    }

    func drop() throws(RepositoryError) {
        try connection.execute("DROP TABLE \(InternalTables.history)")
    }

    func insertion() throws(RepositoryError) -> Statement {
        let sql =
            "INSERT INTO \(InternalTables.history) (mark, time, author, rows, undoes, depth) VALUES (?, ?, ?, ?, ?, ?)"
        return try Statement(sql, on: connection, persistent: true)
    }

    /// Adds a row, in the open transaction.
    func append(_ row: NewRow, with insertion: Statement) throws(RepositoryError) {
        try insertion.bind(.integer(row.mark), at: 1)
        try insertion.bind(.real(row.time.timeIntervalSince1970), at: 2)
        try insertion.bind(row.author.map { .text($0) } ?? .null, at: 3)
        try insertion.bind(.blob(row.rows), at: 4)
        try insertion.bind(row.undoes.map { .integer(Int64($0.number)) } ?? .null, at: 5)
        try insertion.bind(.integer(Int64(row.undoes.map { $0.depth + 1 } ?? 0)), at: 6)
        while try insertion.step() {}
    }

    func last() throws(RepositoryError) -> (number: Int64, time: Date) {
        let sql = "SELECT number, time FROM \(InternalTables.history) ORDER BY number DESC LIMIT 1"
        guard let row = try connection.rows(sql).first else { return (0, .distantPast) }
        guard case .integer(let number) = row[0], case .real(let time) = row[1], time.isFinite else {
            throw Self.damage("the time of its last entry is \(row[1])")
        }
        return (number, Date(timeIntervalSince1970: time))
    }

    /// Deletes the rows older than a time, but keeps the last row, so that the latest token stays valid.
    func prune(before time: Date) throws(RepositoryError) {
        try connection.execute(
            """
            DELETE FROM \(InternalTables.history) WHERE number < coalesce( \
            (SELECT number FROM \(InternalTables.history) WHERE time >= ? ORDER BY number LIMIT 1), \
            (SELECT max(number) FROM \(InternalTables.history)))
            """, [.real(time.timeIntervalSince1970)])
    }

    /// Describes the first hundred damaged entries, each in a sentence.
    func faults() throws(RepositoryError) -> [String] {
        guard try exists else { return [] }
        let statement = try connection.prepare(
            "SELECT number, mark, time, author, rows, undoes, depth FROM \(InternalTables.history) ORDER BY number")
        var faults: [String] = []
        while faults.count < 100, try statement.step() {
            // If the author is not valid UTF-8, reading the row fails.
            let row = try? statement.values()
            if row.map(Self.isSound) == true { continue }
            faults.append("entry \(try statement.value(at: 0)) of the store's history is damaged")
        }
        return faults
    }

    private static func isSound(_ row: [SQLValue]) -> Bool {
        guard case .integer(1..<Int64.max) = row[0], let entry = try? HistoryEntry(Array(row.prefix(5))),
            entry.time.timeIntervalSince1970.isFinite, case .integer(let depth) = row[6]
        else { return false }
        guard case .integer(let undoes) = row[5] else { return depth == 0 }
        return (1..<Int64(entry.token.number)).contains(undoes) && (1..<Int64(entry.token.number)).contains(depth)
    }

    static func damage(_ detail: String) -> RepositoryError {
        .corrupt(
            Diagnosis(
                engine: "SignalRepository", code: "history", message: "the store's history is damaged: \(detail)"))
    }
}

extension Connection {
    func keepsHistory() throws(RepositoryError) -> Bool? { try HistoryTable(self).exists }
}

// Reads the history. The transaction executes every statement, and records the tables that a live query depends on.
extension ReadTransaction {
    /// Returns the token of the last entry of the store's history, as this transaction sees it.
    ///
    /// ```swift
    /// let (movies, token) = try await repository.read { store in
    ///     (try store.fetch(Movie.all), try store.historyToken())
    /// }.value()
    /// ```
    /// - Failure: `.misuse` if the store keeps no history.
    public func historyToken() throws(RepositoryError) -> HistoryToken {
        try checkHistory()
        let sql: SQLText = "SELECT number, mark FROM signal_repository_history ORDER BY number DESC LIMIT 1"
        guard let row = try rows(of: sql).first, case .integer(let number) = row[0], case .integer(let mark) = row[1]
        else {
            return .beginning
        }
        return HistoryToken(number: Int(number), mark: mark)
    }

    /// Returns at most `limit` entries after a token, the oldest first; see `SQLiteRepository.changes(since:)`.
    ///
    /// - Failure: `.misuse` if the store keeps no history.
    public func history(since token: HistoryToken, limit: Int = .max) throws(RepositoryError) -> [HistoryEntry] {
        try checkHistory()
        guard limit > 0 else { return [] }
        if let reason = try gap(after: token) {
            return [HistoryEntry(token: try historyToken(), time: session.now(), extent: .unknown(reason))]
        }
        let sql: SQLText = """
            SELECT number, mark, time, author, rows FROM signal_repository_history \
            WHERE number > \(bind: .integer(Int64(token.number))) ORDER BY number LIMIT \(bind: .integer(Int64(limit)))
            """
        var entries: [HistoryEntry] = []
        for row in try historyRows(sql) { entries.append(try HistoryEntry(row)) }
        return entries
    }

    /// Returns the reason why the commits after a token are unknown; `nil` if they are known.
    private func gap(after token: HistoryToken) throws(RepositoryError) -> HistoryEntry.Reason? {
        let number = SQLValue.integer(Int64(token.number))
        let sql: SQLText = "SELECT mark FROM signal_repository_history WHERE number = \(bind: number)"
        if let row = try rows(of: sql).first { return row == [.integer(token.mark)] ? nil : .otherStore }
        guard let first = try rows(of: "SELECT min(number) FROM signal_repository_history").first?.first,
            case .integer(let first) = first
        else { return token == .beginning ? nil : .otherStore }
        if token == .beginning, first == 1 { return nil }
        return token.number < first ? .pruned : .otherStore
    }

    /// Reads rows of the history; throws `.corrupt` for an unreadable value, such as an author that is not UTF-8.
    func historyRows(_ sql: SQLText) throws(RepositoryError) -> [[SQLValue]] {
        do throws(RepositoryError) {
            return try rows(of: sql)
        } catch {
            guard case .decoding = error else { throw error }
            throw HistoryTable.damage("\(error)")
        }
    }

    func checkHistory() throws(RepositoryError) {
        try checkUsable()
        guard let keepsHistory = try session.connection.keepsHistory() else {
            throw .misuse(detail: "a server keeps no history: only files and stores in memory do")
        }
        guard keepsHistory else {
            throw .misuse(detail: "the store keeps no history: open it with history: .kept(for:)")
        }
    }
}

extension HistoryEntry {
    /// Creates an entry from a row with its number, mark, time, author and blob.
    init(_ row: [SQLValue]) throws(RepositoryError) {
        guard row.count == 5, case .integer(let number) = row[0], case .integer(let mark) = row[1],
            case .real(let time) = row[2], case .blob(let bytes) = row[4]
        else { throw InternalTables.refusal(InternalTables.history) }
        guard number > 0 else { throw HistoryTable.damage("a commit has the number \(number)") }
        let (extent, tables) = try HistoryBytes.content(of: bytes)
        var author: String?
        if case .text(let text) = row[3] { author = text }
        self.init(
            token: HistoryToken(number: Int(number), mark: mark), author: author,
            time: Date(timeIntervalSince1970: time), extent: extent, content: tables)
    }
}
