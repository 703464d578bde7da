extension Statement {
    /// Binds the id of an item to the only parameter.
    @inlinable
    func bind<Item: Entity>(id: Item.ID, of type: Item.Type) throws(RepositoryError) {
        do {
            try id.write(to: ColumnSlot(RowTarget(statement: pointer), index: 1, scale: keyScale))
        } catch {
            throw idFault(error, of: type)
        }
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
    }

    /// Makes an item from the current row, whose columns are those of the schema in its order.
    func item<Item: Entity>(_ schema: Schema<Item>) throws(RepositoryError) -> Item {
        do {
            return try schema.decode(RowSource(statement: pointer))
        } catch {
            throw located(error, schema)
        }
    }

    /// Makes items from all remaining rows, and resets the statement.
    func items<Item: Entity>(_ schema: Schema<Item>) throws(RepositoryError) -> [Item] {
        var items: [Item] = []
        do {
            try schema.decodeAll(self, &items)
        } catch {
            throw located(error, schema)
        }
        return items
    }

    private func located<Item: Entity>(_ error: RepositoryError, _ schema: Schema<Item>) -> RepositoryError {
        schema.located(error) { place, scale in try? value(Item.ID.self, at: place, scale: scale) }
    }
}

extension Statement {
    /// Binds and runs the statement once for each item.
    ///
    /// On failure, `failed` is the index of the item in the array.
    func run<Item: Entity>(
        for items: [Item], _ schema: Schema<Item>, failed: inout Int
    ) throws(RepositoryError) {
        let (row, encode) = (RowTarget(statement: pointer), schema.encode)
        var place = 0
        defer { failed = place }
        let outcome = items.withUnsafeBufferPointer { items in
            Result { () throws(RepositoryError) in
                guard var item = items.baseAddress else { return }
                while place < items.count {
                    try encode(item, row)
                    try run()
                    item += 1
                    place += 1
                }
            }
        }
        try outcome.get()
    }
}
