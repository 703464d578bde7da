public import Signals

extension Repository {
    /// Reads the rows of a raw SQL statement as values of a type that declares their columns.
    ///
    /// ```swift
    /// struct Top: Row, Equatable {
    ///     let studio: String?
    ///     let movies: Int
    ///     static let schema = Schema(Column("studio", \Top.studio), Column("movies", \.movies), make: Top.init)
    /// }
    ///
    /// let tops = try await repository.rows(
    ///     "SELECT studio, count(*) AS movies FROM Movie GROUP BY studio HAVING movies > ?", 3, as: Top.self
    /// ).value()
    /// ```
    /// The type can also be an entity. Use this for items that only raw SQL can select, for example with a common table
    /// expression or a window function.
    ///
    /// ```swift
    /// let newest = try await repository.rows(
    ///     """
    ///     SELECT *, row_number() OVER (PARTITION BY studio ORDER BY releaseDate DESC) AS number
    ///     FROM Movie WHERE boxOffice > ? ORDER BY title
    ///     """, 1_000_000, as: Movie.self
    /// ).value()
    /// print(newest.count)  // 12
    /// ```
    /// `values` are bound to the question marks in order; values can also be interpolated, see `SQL`. Columns are
    /// matched by name, in any order; columns that the type does not have are ignored.
    /// - Delivery: one array, in the order of the rows; then the signal finishes.
    /// - Failure: `.misuse` when the statement does not compile, writes, has more or fewer parameters than `values`, or
    ///   returns a column of the type twice or not at all; `.decoding` when a value does not fit its property's type.
    public func rows<Item: Row>(
        _ sql: SQL, _ values: any BindableValue..., as type: Item.Type
    ) -> Signal<[Item], RepositoryError> {
        signal(for: .read(RepositoryCall("rows")) { store in try store.items(type, sql.text(values)) })
    }

    /// Reads the rows of a raw SQL statement, now and whenever the rows change.
    ///
    /// The engine reports which tables the statement reads. After each commit that changes one of these tables, the
    /// statement is executed again.
    /// - Delivery: the current array and then, in commit order, each array that differs from the one before; a slow
    ///   sink receives only the latest array. The signal does not finish.
    /// - Failure: as `rows(_:_:as:)`; `.closed` when the repository is closed.
    public func rowsSubscription<Item: Row & Equatable>(
        _ sql: SQL, _ values: any BindableValue..., as type: Item.Type
    ) -> Signal<[Item], RepositoryError> {
        let text = Result { () throws(RepositoryError) in try sql.text(values) }
        let query = LiveQuery { store in try store.storedRows(type, text.get()) }
        return signal(for: .follow(RepositoryCall("rowsSubscription"), query)).map { $0.value.rows }
    }

    /// Reads the rows of a raw SQL statement as tuples of its columns, in their order.
    ///
    /// ```swift
    /// let lengths = try await repository.rows(
    ///     "SELECT title, length(title) FROM Movie", as: (String, Int).self
    /// ).value()
    /// ```
    /// - Delivery: one array, in the order of the rows; then the signal finishes.
    /// - Failure: as with a `Row` type; `.misuse` if the tuple has more or fewer values than there are columns, or
    ///   contains a `Decimal`, whose decimal places a tuple cannot declare.
    public func rows<each Value: ColumnValue>(
        _ sql: SQL, _ values: any BindableValue..., as type: (repeat each Value).Type
    ) -> Signal<[(repeat each Value)], RepositoryError> {
        signal(for: .read(RepositoryCall("rows")) { store in try store.tuples(sql.text(values), as: type) })
    }
}

extension ReadTransaction {
    /// Reads the rows of a raw SQL statement as values of a type; see `Repository.rows(_:_:as:)`.
    ///
    /// - Failure: as `Repository.rows(_:_:as:)`.
    public func rows<Item: Row>(
        _ sql: SQL, _ values: any BindableValue..., as type: Item.Type
    ) throws(RepositoryError) -> [Item] {
        try items(type, sql.text(values))
    }

    /// Reads the rows of a raw SQL statement as tuples; see `Repository.rows(_:_:as:)`.
    ///
    /// - Failure: as `Repository.rows(_:_:as:)`.
    public func rows<each Value: ColumnValue>(
        _ sql: SQL, _ values: any BindableValue..., as type: (repeat each Value).Type
    ) throws(RepositoryError) -> [(repeat each Value)] {
        try tuples(sql.text(values), as: type)
    }

    fileprivate func tuples<each Value: ColumnValue>(
        _ sql: SQLText, as type: (repeat each Value).Type
    ) throws(RepositoryError) -> [(repeat each Value)] {
        var (count, isScaled) = (0, false)
        for type in repeat (each Value).self {
            count += 1
            isScaled = isScaled || type.isScaled
        }
        guard !isScaled else {
            throw .misuse(
                detail: "a Decimal is read with the decimal places of its column, which a tuple does not declare: "
                    + "use a Row type")
        }
        return try rawRows(sql) { statement throws(RepositoryError) in
            guard statement.columnCount == count else {
                let columns = statement.columnCount.counted("column")
                throw .misuse(
                    detail: "a row has \(columns), but the tuple has \(count.counted("value")): " + sql.text.excerpt)
            }
        } read: { statement, _ throws(RepositoryError) in
            var index = 0
            return (repeat try statement.next((each Value).self, &index))
        }
    }

    /// Executes a raw SQL statement, and makes an item of each row; the columns may be in any order.
    fileprivate func items<Item: Row>(_ type: Item.Type, _ sql: SQLText) throws(RepositoryError) -> [Item] {
        let schema = Item.schema
        return try rawRows(sql) { statement throws(RepositoryError) in
            let indexes = try statement.indexes(of: schema)
            return indexes == Array(indexes.indices) ? nil : indexes
        } read: { statement, indexes throws(RepositoryError) in
            // `indexes` is `nil` if the columns are in the order of the schema, so that no value must be copied.
            guard let indexes else { return try statement.item(schema) }
            let values = try statement.values()
            return try schema.item(of: schema.read(values, at: indexes))
        }
    }

    fileprivate func storedRows<Item: Row>(
        _ type: Item.Type, _ sql: SQLText
    ) throws(RepositoryError) -> StoredRows<Item> {
        let schema = Item.schema
        let values = try rawRows(sql) { statement throws(RepositoryError) in
            try statement.indexes(of: schema)
        } read: { statement, indexes throws(RepositoryError) in
            let values = try statement.values()
            return schema.read(values, at: indexes)
        }
        var items: [Item] = []
        for row in values { items.append(try schema.item(of: row)) }
        return StoredRows(rows: items, values: values)
    }
}

extension Schema {
    /// Returns a row's values in the order of the schema; an integer for a floating-point column becomes a real number.
    fileprivate func read(_ values: [SQLValue], at indexes: [Int]) -> [SQLValue] {
        zip(columns, indexes).map { column, index in
            guard column.storageClass == .real, case .integer(let integer) = values[index],
                let real = Double(exactly: integer)
            else { return values[index] }
            return .real(real)
        }
    }
}

extension StoreStatement {
    fileprivate func next<Value: ColumnValue>(_ type: Value.Type, _ index: inout Int) throws(RepositoryError) -> Value {
        defer { index += 1 }
        return try value(type, at: index)
    }
}
