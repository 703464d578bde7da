extension ReadTransaction {
    /// Executes a raw SQL statement that reads, and returns its rows.
    ///
    /// ```swift
    /// let rows = try store.rows("SELECT title, length(title) FROM Movie WHERE studio = ?", "Gramercy")
    /// ```
    /// Values are bound to the question marks, or interpolated; see `SQL`.
    /// - Failure: `.misuse` when the statement does not compile, has a different number of parameters, or writes.
    public func rows(_ sql: SQL, _ values: any BindableValue...) throws(RepositoryError) -> [[SQLValue]] {
        try rows(of: sql.text(values))
    }

    package final func rows(of sql: SQLText) throws(RepositoryError) -> [[SQLValue]] {
        try query(try rawReading(sql)) { statement throws(RepositoryError) in
            try statement.all { row throws(RepositoryError) in try row.values() }
        }
    }

    /// Executes a raw SQL statement that reads, and passes each row to `read`, together with the result of `begin`.
    final func rawRows<Columns, Row>(
        _ sql: SQLText, begin: (any StoreStatement) throws(RepositoryError) -> Columns,
        read: (any StoreStatement, Columns) throws(RepositoryError) -> Row
    ) throws(RepositoryError) -> [Row] {
        try query(try rawReading(sql)) { statement throws(RepositoryError) in
            // `begin` is called after the first step, because this step may recompile the statement with other columns.
            var columns: Columns?
            let rows = try statement.all { row throws(RepositoryError) in
                let known: Columns
                if let columns { known = columns } else { known = try begin(row) }
                columns = known
                return try read(row, known)
            }
            if columns == nil { _ = try begin(statement) }
            return rows
        }
    }

    /// Returns a raw SQL statement, ready to be executed; throws if it writes.
    final func rawReading(_ sql: SQLText) throws(RepositoryError) -> any StoreStatement {
        try checkUsable()
        let statement = try session.statement(sql)
        guard statement.isReadOnly else { throw .misuse(detail: "the statement writes: \(sql.text.excerpt)") }
        return statement
    }
}

extension WriteTransaction {
    /// Executes a raw SQL statement that changes rows.
    ///
    /// Live signals receive the change like any other change.
    ///
    /// ```swift
    /// let count = try store.execute("UPDATE Movie SET studio = NULL WHERE studio = ?", "Gramercy")
    /// ```
    /// Values are bound to the question marks, or interpolated; see `SQL`.
    /// - Returns: the number of rows that the statement changed directly.
    /// - Failure: `.misuse` when the statement does not compile, has more or fewer parameters than `values`, or begins
    ///   or ends a transaction; any error of the statement.
    @discardableResult
    public func execute(_ sql: SQL, _ values: any BindableValue...) throws(RepositoryError) -> Int {
        try execute(sql, values: values)
    }

    func execute(_ sql: SQL, values: [any BindableValue]) throws(RepositoryError) -> Int {
        try checkUsable()
        let statement = try session.statement(try sql.text(values))
        record(statement)
        let connection = session.connection
        let before = connection.totalChanges
        try change(statement) { statement throws(RepositoryError) in try statement.run() }
        return connection.totalChanges == before ? 0 : connection.changes
    }
}
