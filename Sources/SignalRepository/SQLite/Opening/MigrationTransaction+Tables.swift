// The changes of tables that steps are made of. Names are those in the file; an entity is taken as it is declared now.
extension MigrationTransaction {
    /// Creates the table of an entity and its indexes.
    public func createTable<Item: Entity>(_ type: Item.Type) throws(RepositoryError) {
        let shape = try TableShape(type)
        try run(shape.creation)
        for index in shape.indexes { try run(index.creation(on: shape.name)) }
    }

    /// Renames a table; its indexes and what refers to it go with it.
    public func renameTable(_ name: String, to newName: String) throws(RepositoryError) {
        try run("ALTER TABLE \(Identifier.quoted(name)) RENAME TO \(Identifier.quoted(newName))")
        // Otherwise a new table of the old name could have none.
        for var index in try shape(of: newName).indexes where IndexShape.isOurs(index.name) {
            try run("DROP INDEX \(Identifier.quoted(index.name))")
            index.name = IndexShape.name(table: newName, columns: index.columns, isUnique: index.isUnique)
            try run(index.creation(on: newName))
        }
    }

    /// Drops a table with its rows.
    public func dropTable(_ name: String) throws(RepositoryError) {
        try dropSearch(of: name)
        try run("DROP TABLE \(Identifier.quoted(name))")
    }

    /// Renames a column; its indexes and what refers to it go with it.
    public func renameColumn(_ name: String, to newName: String, of table: String) throws(RepositoryError) {
        let names = [table, name, newName].map(Identifier.quoted)
        try run("ALTER TABLE \(names[0]) RENAME COLUMN \(names[1]) TO \(names[2])")
    }

    /// Drops a column with its values, and the indexes that it is part of.
    public func dropColumn(_ name: String, of table: String) throws(RepositoryError) {
        for index in try shape(of: table).indexes where index.columns.contains(name) {
            try run("DROP INDEX \(Identifier.quoted(index.name))")
        }
        // Its triggers name the column; the index is made again when the migrations are done.
        try dropSearch(of: table)
        try run(ColumnShape.removal(of: name, from: table))
    }

    private func dropSearch(of table: String) throws(RepositoryError) {
        for sql in try SearchShape(of: table, in: connection).removal { try run(sql) }
    }

    /// Adds the column of a property, and stores a value in it for every row that there is.
    ///
    /// ```swift
    /// let step = Migration("films have a rating") { store in try store.addColumn(\Movie.boxOffice, value: 0) }
    /// ```
    /// The value is stored as the property's own values are.
    public func addColumn<Item: Entity, Value: Sendable>(
        _ path: KeyPath<Item, Value> & Sendable, value: Value
    ) throws(RepositoryError) {
        let column = try Item.schema.column(for: path)
        let stored = try column.stored(value)
        var shape = try ColumnShape(column, isKey: false, entity: Item.entityName)
        // Without one SQLite adds no column that is not optional.
        shape.defaultLiteral = try stored.literal(entity: Item.entityName, column: column.name)
        try run(shape.addition(to: Item.entityName))
        try run(shape.filling(of: Item.entityName), [stored])
    }

    /// Gives the column of a property the declaration that the property has now, and each row what a closure makes of
    /// the value that it had.
    ///
    /// ```swift
    /// let step = Migration("what a film has made is a number") { store in
    ///     try store.changeColumn(\Movie.boxOffice, from: String.self) { Decimal(string: $0) ?? 0 }
    /// }
    /// ```
    /// This is the step for a column with another type, scale or form, for one that is optional no more (read it as an
    /// optional), and for one that refers to something else. If the property has another name too, rename its column
    /// first.
    /// - Parameters:
    ///   - type: What the values are until now; JSON is read as `String`.
    ///   - scale: The decimal places of what was a `Decimal`; needed only for a file that does not say them.
    /// - Failure: `.misuse` for a column that does not exist, for a key, and for a type that the stored values are not;
    ///   `.decoding` for a value that cannot be read, `.encoding` for one that cannot be stored; what the closure
    ///   throws.
    /// - Complexity: every row is read, and written once.
    public func changeColumn<Item: Entity, Value: Sendable, Old: ColumnValue>(
        _ path: KeyPath<Item, Value> & Sendable, from type: Old.Type, scale: Int? = nil,
        _ convert: (Old) throws -> Value
    ) throws {
        let column = try Item.schema.column(for: path)
        let old = try shape(of: Item.entityName)
        let change = try ColumnChange(of: column, in: old, entity: Item.entityName, from: type, scale: scale)
        let indexes = old.indexes.filter { $0.columns.contains(column.name) }
        for index in indexes { try run("DROP INDEX \(Identifier.quoted(index.name))") }
        // Its triggers name the column; the index is made again when the migrations are done.
        try dropSearch(of: old.name)
        try run(change.addition)
        var next: Int64? = .min
        while let first = next {
            let rows = try rows(change.reading, [.integer(first)])
            for row in rows {
                let value = try convert(change.read(Old.self, row[1]))
                try run(change.filling, [column.stored(value), row[0]])
            }
            next = change.next(after: rows)
        }
        try run(ColumnShape.removal(of: column.name, from: old.name))
        try renameColumn(change.name, to: column.name, of: old.name)
        for index in indexes { try run(index.creation(on: old.name)) }
    }

    /// Makes the table of an entity again, as the entity is declared now, and returns how many rows it has.
    ///
    /// ```swift
    /// let step = Migration("films are told apart by another key") { store in
    ///     try store.recreateTable(Movie.self)
    /// }
    /// ```
    /// This is the step for another key. What refers to the table goes on referring to it, and triggers and indexes
    /// that no entity declares are made again.
    /// - Parameters:
    ///   - sources: The column that each column is copied from, where it has another name. A column for which there is
    ///     none gets its default, or NULL; one that is not declared any more goes.
    /// - Failure: as `copy(_:to:from:)`; `.misuse` in `whenNew:`, where each table is as it is declared.
    @discardableResult
    public func recreateTable<Item: Entity>(
        _ type: Item.Type, from sources: [String: String] = [:]
    ) throws(RepositoryError) -> Int {
        guard try rows("PRAGMA foreign_keys") == [[.integer(0)]] else {
            throw .misuse(detail: "recreateTable(_:from:) is called outside of a migration's step")
        }
        var new = try TableShape(type)
        let (name, old) = (new.name, try shape(of: new.name))
        try dropSearch(of: name)
        let attached = try rows(
            "SELECT name, sql FROM sqlite_schema WHERE tbl_name = ? AND type IN ('index', 'trigger') "
                + "AND sql IS NOT NULL", [.text(name)])
        let sequence = old.columns.contains(where: \.isGenerated) && new.columns.contains(where: \.isGenerated)
        let given = sequence ? try rows("SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(name)]) : []
        while try !rows("SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(new.name)]).isEmpty { new.name += "_" }
        try run(new.creation)
        let count = try copy(old, to: new, from: sources)
        try run("DROP TABLE \(Identifier.quoted(name))")
        // What refers to the table by its name, as a view does, has nothing to refer to until it is renamed.
        try run("PRAGMA legacy_alter_table = ON")
        defer { try? run("PRAGMA legacy_alter_table = OFF") }
        try run("ALTER TABLE \(Identifier.quoted(new.name)) RENAME TO \(Identifier.quoted(name))")
        for index in new.indexes { try run(index.creation(on: name)) }
        for case .text(let sql) in attached.filter({ !Self.isOurs($0[0]) }).map({ $0[1] }) { try run(sql) }
        // A number is given once, even when its item is deleted.
        if let last = given.first?.first {
            try run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", [last, .text(name)])
            try run(
                "INSERT INTO sqlite_sequence (name, seq) SELECT ?, ? "
                    + "WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)",
                [.text(name), last, .text(name)])
        }
        return count
    }

    private static func isOurs(_ name: SQLValue) -> Bool {
        if case .text(let name) = name { IndexShape.isOurs(name) } else { false }
    }

    /// Copies the rows of a table into the table of an entity, and returns how many there were.
    ///
    /// ```swift
    /// let step = Migration("Film becomes Movie") { store in
    ///     try store.createTable(Movie.self)
    ///     try store.copy("Film", to: Movie.self, from: ["boxOffice": "gross"])
    ///     try store.dropTable("Film")
    /// }
    /// ```
    /// - Parameters:
    ///   - sources: The column that each column is copied from, where it has another name. A column for which there is
    ///     none gets its default, or NULL.
    /// - Failure: `.misuse` for a column that does not exist, and for one whose values mean something else there, as
    ///   decimals with other places do; `.constraint` for a row that the table cannot hold.
    @discardableResult
    public func copy<Item: Entity>(
        _ table: String, to type: Item.Type, from sources: [String: String] = [:]
    ) throws(RepositoryError) -> Int {
        try copy(shape(of: table), to: TableShape(type), from: sources)
    }

    private func copy(
        _ old: TableShape, to new: TableShape, from sources: [String: String]
    ) throws(RepositoryError) -> Int {
        let table = old.name
        if let stranger = sources.keys.first(where: { name in !new.columns.contains { $0.name == name } }) {
            throw .misuse(detail: "\(new.name) declares no column \(stranger)")
        }
        var pairs: [(to: String, from: String)] = []
        for column in new.columns {
            let name = sources[column.name] ?? column.name
            guard let source = old.columns.first(where: { $0.name == name }) else {
                if sources[column.name] == nil { continue }
                throw .misuse(detail: "the table \(table) has no column \(name)")
            }
            if let meaning = source.meaning, let newMeaning = column.meaning, meaning != newMeaning {
                throw .misuse(
                    detail:
                        "\(table).\(name) holds \(meaning.description) and \(new.name).\(column.name) "
                        + "\(newMeaning.description): every value would become another")
            }
            pairs.append((column.name, name))
        }
        let (targets, names) = (Identifier.list(pairs.map(\.to)), Identifier.list(pairs.map(\.from)))
        try run(
            "INSERT INTO \(Identifier.quoted(new.name)) (\(targets)) SELECT \(names) FROM \(Identifier.quoted(table))")
        return connection.changes
    }

    /// Stores a new item of an entity whose table is as it is declared now, and returns it as it is stored.
    ///
    /// ```swift
    /// let repository = try SQLiteRepository(
    ///     .inMemory, entities: Movie.self,
    ///     whenNew: { store in
    ///         let stored = try store.create(movie)
    ///         print(stored == movie)  // true
    ///     })
    /// ```
    /// - Failure: as `WriteTransaction.create(_:)`.
    @discardableResult
    public func create<Item: Entity>(_ item: Item) throws(RepositoryError) -> Item { try store.create(item) }

    /// Stores items of an entity whose table is as it is declared now.
    public func insert<Item: Entity>(_ items: [Item]) throws(RepositoryError) { try store.insert(items) }

    private func shape(of table: String) throws(RepositoryError) -> TableShape {
        let file = try FileShape(connection, tables: [table])
        if let shape = file.item(named: table)?.shape { return shape }
        throw .misuse(detail: "the store has no table \(table)")
    }

    private func run(_ sql: String, _ values: [SQLValue] = []) throws(RepositoryError) {
        try store.checkUsable()
        try connection.execute(sql, values)
    }

    private func rows(_ sql: String, _ values: [SQLValue] = []) throws(RepositoryError) -> [[SQLValue]] {
        try store.checkUsable()
        return try connection.rows(sql, values)
    }
}
