import Foundation

/// The table that holds a store's history: a row for each commit.
struct HistoryTable {
    /// A row that is written.
    struct NewRow {
        var mark: Int64
        var author: String?
        var time: Date
        var rows: [UInt8]
        /// The commit that this one undoes.
        var undoes: UndoneCommit?
    }

    /// The columns and their types.
    static let columns = [
        ("number", "INTEGER"), ("mark", "INTEGER"), ("time", "REAL"), ("author", "TEXT"), ("rows", "BLOB"),
        ("undoes", "INTEGER"), ("depth", "INTEGER"),
    ]

    private let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Whether the store has it.
    var isThere: Bool {
        get throws(RepositoryError) {
            let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?"
            return try connection.rows(sql, [.text(OwnTables.history)]) != [[.integer(0)]]
        }
    }

    /// Makes it, in the open transaction.
    ///
    /// What undoes a commit is looked for by that commit's number.
    func create() throws(RepositoryError) {
        try connection.execute(
            """
            CREATE TABLE \(OwnTables.history) (number INTEGER PRIMARY KEY, mark INTEGER NOT NULL, time REAL NOT NULL, \
            author TEXT, rows BLOB NOT NULL, undoes INTEGER, depth INTEGER NOT NULL) STRICT
            """)
        try connection.execute(
            "CREATE INDEX \(OwnTables.history)_undone ON \(OwnTables.history) (undoes) WHERE undoes IS NOT NULL")
        // Made later, it would be a change of the tables, after which nothing is known.
        try connection.execute(try connection.dialect.createIdentity().text)
    }

    /// Deletes it, with all that it holds.
    func drop() throws(RepositoryError) {
        try connection.execute("DROP TABLE \(OwnTables.history)")
    }

    /// The statement that adds a row, for many of them.
    func insertion() throws(RepositoryError) -> Statement {
        let sql = "INSERT INTO \(OwnTables.history) (mark, time, author, rows, undoes, depth) VALUES (?, ?, ?, ?, ?, ?)"
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

    /// Deletes what is older than a time, but for the last row: whoever has its token has missed nothing.
    func prune(before time: Date) throws(RepositoryError) {
        try connection.execute(
            "DELETE FROM \(OwnTables.history) WHERE time < ? "
                + "AND number < (SELECT max(number) FROM \(OwnTables.history))",
            [.real(time.timeIntervalSince1970)])
    }
}

// Reading: every statement goes through the transaction, so that live queries know what was read.
extension ReadTransaction {
    /// The number of the last commit in the store's history; 0 where it is empty.
    func lastHistoryNumber() throws(RepositoryError) -> Int {
        try checkHistory()
        let rows = try rows(SQLText("SELECT coalesce(max(number), 0) FROM signal_repository_history"))
        if case .integer(let number)? = rows.first?.first { return Int(number) }
        return 0
    }

    /// Returns where the store's history is in the state that this transaction reads.
    ///
    /// ```swift
    /// let (movies, token) = try await repository.read { store in
    ///     (try store.fetch(Movie.all), try store.historyToken())
    /// }.value()
    /// ```
    /// - Failure: `.misuse` where the store keeps no history.
    public func historyToken() throws(RepositoryError) -> HistoryToken {
        try checkHistory()
        let sql = SQLText("SELECT number, mark FROM signal_repository_history ORDER BY number DESC LIMIT 1")
        guard let row = try rows(sql).first, case .integer(let number) = row[0], case .integer(let mark) = row[1] else {
            return .beginning
        }
        return HistoryToken(number: Int(number), mark: mark)
    }

    /// Returns the entries after a token, the oldest first and at most so many; see `SQLiteRepository.changes(since:)`.
    ///
    /// - Failure: `.misuse` where the store keeps no history.
    public func history(since token: HistoryToken, limit: Int = .max) throws(RepositoryError) -> [HistoryEntry] {
        try checkHistory()
        guard limit > 0 else { return [] }
        if let reason = try gap(after: token) {
            return [HistoryEntry(token: try historyToken(), time: session.now(), extent: .unknown(reason))]
        }
        var sql = SQLText("SELECT number, mark, time, author, rows FROM signal_repository_history WHERE number > ")
        sql.bind(.integer(Int64(token.number)))
        sql.append(" ORDER BY number LIMIT ")
        sql.bind(.integer(Int64(limit)))
        var entries: [HistoryEntry] = []
        for row in try rows(sql) { entries.append(try HistoryEntry(row)) }
        return entries
    }

    /// Why it is not known what happened after a token; `nil` where it is.
    private func gap(after token: HistoryToken) throws(RepositoryError) -> HistoryEntry.Reason? {
        var sql = SQLText("SELECT mark FROM signal_repository_history WHERE number = ")
        sql.bind(.integer(Int64(token.number)))
        if let row = try rows(sql).first { return row == [.integer(token.mark)] ? nil : .otherStore }
        guard let first = try rows(SQLText("SELECT min(number) FROM signal_repository_history")).first?.first,
            case .integer(let first) = first
        else { return token == .beginning ? nil : .otherStore }
        if token == .beginning, first == 1 { return nil }
        return token.number < first ? .pruned : .otherStore
    }

    /// Throws where the store keeps no history.
    func checkHistory() throws(RepositoryError) {
        try checkUsable()
        guard let connection = session.connection as? Connection else {
            throw .misuse(detail: "a server keeps no history: it is for files and stores in memory")
        }
        guard try HistoryTable(connection).isThere else {
            throw .misuse(detail: "the store keeps no history: open it once with history: .kept(for:)")
        }
    }
}

extension HistoryEntry {
    /// Makes an entry of a row: its number, mark, time, author and blob.
    init(_ row: [SQLValue]) throws(RepositoryError) {
        guard row.count == 5, case .integer(let number) = row[0], case .integer(let mark) = row[1],
            case .real(let time) = row[2], case .blob(let bytes) = row[4]
        else { throw OwnTables.refusal(OwnTables.history) }
        let (extent, tables) = try HistoryBytes.content(of: bytes)
        var author: String?
        if case .text(let text) = row[3] { author = text }
        self.init(
            token: HistoryToken(number: Int(number), mark: mark), author: author,
            time: Date(timeIntervalSince1970: time), extent: extent, content: tables)
    }
}
