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
        // Its triggers name the column; the index is made anew when the migrations are done.
        try dropSearch(of: table)
        try run(ColumnShape.removal(of: name, from: table))
    }

    private func dropSearch(of table: String) throws(RepositoryError) {
        for sql in try SearchShape(of: table, in: store.session.connection).removal { try run(sql) }
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
        let (old, new) = (try shape(of: table), try TableShape(type))
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
        return store.session.connection.changes
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
        let file = try FileShape(store.session.connection, tables: [table])
        if let shape = file.item(named: table)?.shape { return shape }
        throw .misuse(detail: "the store has no table \(table)")
    }

    private func run(_ sql: String, _ values: [SQLValue] = []) throws(RepositoryError) {
        try store.checkUsable()
        try store.session.connection.execute(sql, values)
    }
}
