extension ReadTransaction {
    final func rows<Output>(_ rows: RowsQuery<Output>) throws(RepositoryError) -> [Output] {
        try self.rows({ dialect throws(RepositoryError) in try rows.sql.text(in: dialect) }, rows.readAll)
    }

    final func rows<Output>(
        _ sql: (any Dialect) throws(RepositoryError) -> SQLText,
        _ readAll: (any StoreStatement) throws(RepositoryError) -> [Output]
    ) throws(RepositoryError) -> [Output] {
        try checkUsable()
        return try query(try session.statement(sql(session.dialect))) { statement throws(RepositoryError) in
            try readAll(statement)
        }
    }
}

extension WriteTransaction {
    /// Executes a statement that changes rows, and returns the number of rows that it changed directly.
    package func changeRows(_ sql: SQLText) throws(RepositoryError) -> Int {
        let statement = try session.statement(sql)
        record(statement)
        return try change(statement) { statement throws(RepositoryError) in
            try statement.run()
            return session.connection.changes
        }
    }

    /// Executes a statement that writes an item, and returns the number of rows that it changed directly.
    @discardableResult
    func write<Item: Entity>(_ kind: FixedStatement, _ item: Item) throws(RepositoryError) -> Int {
        let statements = try session.statements(of: Item.self)
        try statements.prove(with: item)
        let statement = try statements[kind]
        return try change(statement.base) { base throws(RepositoryError) in
            do throws(RepositoryError) {
                try statement.bind(item, Item.schema)
                try statement.run()
            } catch {
                throw refusal(error, of: item)
            }
            let count = session.connection.changes
            if count == 0, try kind.writesAlways(Item.self) { throw ignored(Item.self, id: item.id, base) }
            return count
        }
    }

    /// Executes a statement that writes an item, and returns the stored item.
    func writeReturning<Item: Entity>(
        _ item: Item, _ sql: () throws(RepositoryError) -> SQLText
    ) throws(RepositoryError) -> Item {
        try session.statements(of: Item.self).prove(with: item)
        do {
            let sql = try sql()
            // This is a nested transaction, because the write must be undone if the stored row cannot be decoded.
            return try transaction { store in
                let statement = try store.session.statement(sql)
                store.record(statement)
                let returned = try store.change(statement) { statement throws(RepositoryError) in
                    defer { statement.reset() }
                    let stored = try statement.all { row throws(RepositoryError) in try row.item(Item.schema) }
                    guard let stored = stored.first else { throw store.ignored(Item.self, id: item.id, statement) }
                    return stored
                }
                // SQLite's RETURNING returns the row as it was before AFTER triggers ran.
                return statement.writtenByTriggers.contains(Item.entityName) ? try store.stored(returned) : returned
            }
        } catch {
            throw refusal(error, of: item)
        }
    }

    /// Returns the error of a statement that wrote nothing and did not fail, because a trigger ignored the change.
    package func ignored<Item: Entity>(
        _ type: Item.Type, id: Item.ID, _ statement: any StoreStatement
    ) -> RepositoryError {
        let diagnosis = session.connection.diagnosis(ofTrigger: "a trigger ignored the change", statement)
        return .constraint(kind: .trigger, columns: [], diagnosis: diagnosis).about(type, id: id)
    }

    /// Returns the error of a change by id that changed nothing: the item is missing, or a trigger ignored the change.
    func unchanged<Item: Entity>(
        _ kind: FixedStatement, _ type: Item.Type, id: Item.ID
    ) throws(RepositoryError) -> RepositoryError {
        let statements = try session.statements(of: type)
        let reading = try statements[.read]
        try reading.bind(id: id, of: type)
        let exists = try reading.base.first { _ in true } ?? false
        guard exists else { return .notFound(type, id: id) }
        return ignored(type, id: id, try statements[kind].base)
    }

    /// Returns the error of an item that could not be stored, with its id and the foreign key that it violates.
    package func refusal<Item: Entity>(_ error: RepositoryError, of item: Item) -> RepositoryError {
        let named = error.namingReference { () throws(RepositoryError) in
            let values = zip(Item.schema.names, try Item.schema.values(of: item)).map { ($0, $1) }
            return try brokenReference(of: Item.self, by: values)
        }.namingKey { () throws(RepositoryError) in try Item.schema.key.names }
        // An item whose key is not generated yet has the id 0, which would name another item.
        guard Item.schema.missingKeyIndex(of: item) == nil else {
            return named.about(FailedItem(entity: Item.entityName))
        }
        return named.about(Item.self, id: item.id)
    }

    /// Returns the columns of the first foreign key that the given values of an entity violate.
    func brokenReference<Item: Entity>(
        of type: Item.Type, by values: [(column: String, value: SQLValue)]
    ) throws(RepositoryError) -> [String]? {
        try session.connection.brokenReference(
            by: { name in values.first { Identifier.key($0.column) == Identifier.key(name) }?.value },
            in: Item.entityName)
    }
}

extension FixedStatement {
    /// Whether the statement, unless it fails, always writes a row.
    fileprivate func writesAlways<Item: Entity>(_ type: Item.Type) throws(RepositoryError) -> Bool {
        switch self {
        case .insert: true
        // An item that consists only of its key has nothing to update.
        case .upsert: try !Item.schema.changeableNames().isEmpty
        case .exactUpsert: try !Item.schema.changeableNames(preservingTimes: true).isEmpty
        case .read, .update, .exactUpdate, .delete: false
        }
    }
}
