extension Statement {
    /// Binds the id of an item to the only parameters.
    @inlinable
    func bind<Item: Entity>(id: Item.ID, of type: Item.Type) throws(RepositoryError) {
        guard keyScale >= 0 else { return try bind(parts: id, of: type) }
        do {
            try id.write(to: ColumnSlot(RowTarget(statement: pointer), index: 1, places: DecimalPlaces(keyScale)))
        } catch {
            throw idFault(error, of: type)
        }
    }

    /// Binds the values of a composite key.
    @usableFromInline @inline(never)
    func bind<Item: Entity>(parts id: Item.ID, of type: Item.Type) throws(RepositoryError) {
        try bind(try type.schema.key.values(of: id))
    }

    /// Steps a statement that returns at most one item, and makes it ready for the next use.
    @inlinable
    func item<Item: Entity>(of type: Item.Type) throws(RepositoryError) -> Item? {
        guard try step() else { return nil }
        defer { reset() }
        return try type.schema.decode(RowSource(statement: pointer))
    }

    @usableFromInline @inline(never)
    func idFault<Item: Entity>(_ fault: any Error, of type: Item.Type) -> RepositoryError {
        .encoding(fault, entity: Item.entityName, column: (try? Item.schema.key.name) ?? "id")
    }
}

extension Statement {
    /// Returns a value of the current row as the type reads it; `scale` is that of the column it comes from.
    func value<Value: ColumnValue>(
        _ type: Value.Type, at index: Int, scale: Int = 0
    ) throws(RepositoryError) -> Value {
        try read(index, scale: scale) { cell in try Value.read(from: cell) }
    }
}

extension Statement {
    /// Binds the values of an item to the parameters 1 to the number of columns, in the order of the schema.
    func bind<Item: Entity>(_ item: Item, _ schema: Schema<Item>) throws(RepositoryError) {
        let row = RowTarget(statement: pointer)
        let outcome = withUnsafePointer(to: item) { item in
            Result { () throws(RepositoryError) in try schema.encode(item, row) }
        }
        try outcome.get()
        // With NULL, SQLite gives the number.
        if let place = schema.ungivenKey(of: item) { try bind(.null, at: place + 1) }
    }

    /// Makes an item from the current row, whose columns are those of the schema in its order.
    func item<Item: Row>(_ schema: Schema<Item>) throws(RepositoryError) -> Item {
        do {
            return try schema.decode(RowSource(statement: pointer))
        } catch {
            throw located(error, schema)
        }
    }

    /// Makes items from all remaining rows, and resets the statement.
    func items<Item: Row>(_ schema: Schema<Item>) throws(RepositoryError) -> [Item] {
        var items: [Item] = []
        do {
            try schema.decodeAll(self, &items)
        } catch {
            throw located(error, schema)
        }
        return items
    }

    /// The id in the current row, whose columns are those of the key.
    func id<Item: Entity>(_ key: EntityKey<Item>) throws(RepositoryError) -> Item.ID {
        guard key.isComposite else { return try value(Item.ID.self, at: 0, scale: key.columns[0].scale ?? 0) }
        var values: [SQLValue] = []
        for place in key.columns.indices { values.append(try value(at: place)) }
        do {
            return try key.id(of: values)
        } catch {
            throw .decoding(entity: Item.entityName, column: key.name, detail: ColumnFault.sentence(error))
        }
    }

    private func located<Item: Row>(_ error: RepositoryError, _ schema: Schema<Item>) -> RepositoryError {
        schema.located(error) { place in try value(at: place) }
    }
}
