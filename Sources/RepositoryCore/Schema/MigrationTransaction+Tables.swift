// Changes of tables in migrations. A string names a stored table or column; an entity means its current declaration.
extension MigrationTransaction {
    /// Creates the table of an entity and its indexes.
    public func createTable<Item: Entity>(_ type: Item.Type) throws(RepositoryError) {
        let shape = try TableShape(type, in: tables.types)
        try perform(.createTable(shape))
        for index in shape.indexes { try perform(.createIndex(index, of: shape)) }
    }

    /// Renames a table, and updates its indexes and the foreign keys that refer to it.
    public func renameTable(_ name: String, to newName: String) throws(RepositoryError) {
        try perform(.renameTable(name, to: newName))
        // The names of the indexes contain the old name of the table, and would collide with the indexes of a new table
        // of that name.
        let renamed = try shape(of: newName)
        for index in renamed.indexes where IndexShape.isManaged(index.name) && index.definition == nil {
            let name = IndexShape.name(table: newName, columns: index.columns, isUnique: index.isUnique)
            try perform(.renameIndex(index, to: name, of: renamed))
        }
    }

    /// Drops a table with its rows.
    public func dropTable(_ name: String) throws(RepositoryError) {
        try perform(.dropSearch(name))
        try perform(.dropTable(name))
    }

    /// Renames a column, and updates its indexes and the foreign keys that refer to it.
    public func renameColumn(_ name: String, to newName: String, of table: String) throws(RepositoryError) {
        try perform(.renameColumn(name, to: newName, of: table))
    }

    /// Drops a column with its values, and the indexes that contain it.
    public func dropColumn(_ name: String, of table: String) throws(RepositoryError) {
        let shape = try shape(of: table)
        for index in shape.indexes where index.definition == nil && index.columns.contains(name) {
            try perform(.dropIndex(index))
        }
        try dropClauses(of: shape)
        // The triggers of the full-text index may name the column. The index is created again after the migrations.
        try perform(.dropSearch(table))
        try perform(.dropColumn(name, of: table))
    }

    /// Adds the column of a property, and stores a value in every existing row.
    ///
    /// ```swift
    /// let step = Migration("films have a rating") { store in try store.addColumn(\Movie.boxOffice, value: 0) }
    /// ```
    /// The value is encoded as the property's values are. If the store already has the column, because an earlier
    /// version of the program declared it, this method does nothing.
    public func addColumn<Item: Entity, Value: Sendable>(
        _ path: KeyPath<Item, Value> & Sendable, value: Value
    ) throws(RepositoryError) {
        let column = try Item.schema.column(for: path)
        let stored = try column.stored(value)
        let shape = try ColumnShape(column, isKey: false, entity: Item.entityName, in: tables.types)
        try ColumnShape.checkDefault(stored, of: "\(Item.entityName).\(column.name)")
        let columns = try self.shape(of: Item.entityName).columns
        if columns.contains(where: { $0.name == shape.name && $0.type == shape.type }) { return }
        try perform(.addColumn(shape, to: Item.entityName, value: stored))
    }

    /// Changes the column of a property to the property's current declaration, and converts the value of each row.
    ///
    /// ```swift
    /// let step = Migration("boxOffice becomes a number") { store in
    ///     try store.changeColumn(\Movie.boxOffice, from: String.self) { Decimal(string: $0) ?? 0 }
    /// }
    /// ```
    /// Use this method for a column with another type, scale, encoding or reference. Also use it for a column that is
    /// stored as optional but not declared as optional: its old values are read as optionals. If the name of the
    /// property differs as well, rename the column first.
    /// - Parameters:
    ///   - path: The property, as it is declared now.
    ///   - type: The type of the old values; JSON is read as `String`.
    ///   - scale: The decimal places of old `Decimal` values; needed only for a file that does not record them.
    ///   - convert: Makes the new value from the old value.
    /// - Failure: `.misuse` for a column that does not exist, for a key, and for a type other than the stored one;
    ///   `.decoding` for an old value that cannot be read, `.encoding` for a new value that cannot be stored; any error
    ///   of the closure.
    /// - Complexity: every row is read, and written once.
    public func changeColumn<Item: Entity, Value: Sendable, Old: ColumnValue>(
        _ path: KeyPath<Item, Value> & Sendable, from type: Old.Type, scale: Int? = nil,
        _ convert: (Old) throws -> Value
    ) throws {
        let column = try Item.schema.column(for: path)
        let old = try shape(of: Item.entityName)
        let change = try ColumnChange(
            of: column, in: old, entity: Item.entityName, from: type, scale: scale, tables.types)
        let indexes = old.indexes.filter { $0.columns.contains(column.name) && $0.definition == nil }
        for index in indexes { try perform(.dropIndex(index)) }
        try dropClauses(of: old)
        // The triggers of the full-text index may name the column. The index is created again after the migrations.
        try perform(.dropSearch(old.name))
        try tables.replace(change.old, by: change.new, in: old) { value in
            try column.stored(convert(change.read(Old.self, value)))
        }
        let new = try shape(of: Item.entityName)
        for index in indexes { try perform(.createIndex(index, of: new)) }
    }

    /// Recreates the table of an entity with its current declaration, and returns the number of rows.
    ///
    /// ```swift
    /// let step = Migration("films have another key") { store in
    ///     try store.recreateTable(Movie.self)
    /// }
    /// ```
    /// Use this method to change the key. Foreign keys that refer to the table are kept, and triggers and indexes that
    /// no entity declares are created again.
    /// - Parameters:
    ///   - type: The entity.
    ///   - sources: The old name of each renamed column, by its new name. A new column gets its default, or NULL. A
    ///     stored column that the entity does not declare is dropped.
    /// - Failure: the errors of `copy(_:to:from:)`; `.misuse` in `whenNew:`, where each table is already as declared.
    @discardableResult
    public func recreateTable<Item: Entity>(
        _ type: Item.Type, from sources: [String: String] = [:]
    ) throws(RepositoryError) -> Int {
        try store.checkUsable()
        guard tables.isInStep else {
            throw .misuse(detail: "recreateTable(_:from:) is called outside of a migration step")
        }
        let new = try TableShape(type, in: tables.types)
        let old = try shape(of: new.name)
        try perform(.dropSearch(old.name))
        return try tables.recreate(old, as: new, copies(of: old, to: new, from: sources))
    }

    /// Copies the rows of a table into the table of an entity, and returns their number.
    ///
    /// ```swift
    /// let step = Migration("Film becomes Movie") { store in
    ///     try store.createTable(Movie.self)
    ///     try store.copy("Film", to: Movie.self, from: ["boxOffice": "gross"])
    ///     try store.dropTable("Film")
    /// }
    /// ```
    /// - Parameters:
    ///   - table: The name of the table that the rows are copied from.
    ///   - type: The entity whose table they are copied into.
    ///   - sources: The old name of each renamed column, by its new name. A new column gets its default, or NULL.
    /// - Failure: `.misuse` for a column that does not exist, and for a column whose values would have another meaning,
    ///   such as decimals with another scale; `.constraint` for a row that the table cannot hold.
    @discardableResult
    public func copy<Item: Entity>(
        _ table: String, to type: Item.Type, from sources: [String: String] = [:]
    ) throws(RepositoryError) -> Int {
        try store.checkUsable()
        let (old, new) = (try shape(of: table), try TableShape(type, in: tables.types))
        return try tables.copy(old, to: new, copies(of: old, to: new, from: sources))
    }

    private func copies(
        of old: TableShape, to new: TableShape, from sources: [String: String]
    ) throws(RepositoryError) -> [CopiedColumn] {
        let table = old.name
        if let unknown = sources.keys.first(where: { name in !new.columns.contains { $0.name == name } }) {
            throw .misuse(detail: "\(new.name) declares no column \(unknown)")
        }
        var copies: [CopiedColumn] = []
        for column in new.columns where column.computation == nil {
            let name = sources[column.name] ?? column.name
            guard let source = old.columns.first(where: { $0.name == name }) else {
                if sources[column.name] == nil { continue }
                throw .misuse(detail: "the table \(table) has no column \(name)")
            }
            if !ColumnMeaning.agree(source.meaning, column.meaning) {
                throw .misuse(
                    detail:
                        "\(table).\(name) holds \(source.meaning?.description ?? "bytes"), but "
                        + "\(new.name).\(column.name) holds \(column.meaning?.description ?? "bytes"): every value "
                        + "would be misread")
            }
            copies.append((column.name, name))
        }
        return copies
    }

    /// Stores a new item of an entity whose table matches its current declaration, and returns the item as stored.
    ///
    /// ```swift
    /// let repository = try SQLiteRepository(
    ///     .inMemory, entities: Movie.self,
    ///     whenNew: { store in
    ///         let stored = try store.create(movie)
    ///         print(stored == movie)  // true
    ///     })
    /// ```
    /// - Failure: the errors of `WriteTransaction.create(_:)`.
    @discardableResult
    public func create<Item: Entity>(_ item: Item) throws(RepositoryError) -> Item { try store.create(item) }

    /// Stores items of an entity whose table matches its current declaration.
    public func insert<Item: Entity>(_ items: [Item]) throws(RepositoryError) { try store.insert(items) }

    /// Drops the declared checks and indexes that may name a column; they are created again after the migrations.
    private func dropClauses(of table: TableShape) throws(RepositoryError) {
        guard tables.isInStep else { return }
        for index in table.indexes where index.definition != nil && IndexShape.isManaged(index.name) {
            try perform(.dropIndex(index))
        }
        for check in table.checks where CheckShape.isManaged(check.name) { try perform(.dropCheck(check, of: table)) }
    }

    private func shape(of table: String) throws(RepositoryError) -> TableShape {
        if let shape = try tables.stored([table]).table(named: table)?.shape { return shape }
        throw .misuse(detail: "the store has no table \(table)")
    }

    private func perform(_ change: SchemaChange) throws(RepositoryError) {
        try store.checkUsable()
        try tables.perform(change)
        store.session.forgetAllStatements()
    }
}
