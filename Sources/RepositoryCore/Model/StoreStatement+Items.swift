extension StoreStatement {
    /// Returns a value of the current row, read as `type`; `scale` is the scale of its column.
    package func value<Value: ColumnValue>(
        _ type: Value.Type, at index: Int, scale: Int = 0
    ) throws(RepositoryError) -> Value {
        try read(index, scale: scale) { cell in try Value.read(from: cell) }
    }

    /// Makes an item from the current row, whose columns are in the order of the schema.
    func item<Item: Row>(_ schema: Schema<Item>) throws(RepositoryError) -> Item { try schema.item(at: row) }

    /// Makes items from all remaining rows, and resets the statement.
    func items<Item: Row>(_ schema: Schema<Item>) throws(RepositoryError) -> [Item] {
        var items: [Item] = []
        items.reserveCapacity(try begin())
        do {
            try schema.decodeAll(self, &items)
        } catch {
            defer { reset() }
            throw schema.located(error, at: row)
        }
        return items
    }

    /// Returns the id in the current row, whose columns are the columns of the key.
    func id<Item: Entity>(_ key: EntityKey<Item>) throws(RepositoryError) -> Item.ID {
        guard key.isComposite else { return try value(Item.ID.self, at: 0, scale: key.columns[0].scale ?? 0) }
        var values: [SQLValue] = []
        for index in key.columns.indices { values.append(try value(at: index)) }
        do {
            return try key.id(of: values)
        } catch {
            throw .decoding(entity: Item.entityName, column: key.name, detail: ColumnFault.sentence(error))
        }
    }

    /// Finds the index of each column of a schema in a row, by name.
    ///
    /// Throws `.misuse` for a missing column, and for a column that occurs twice, as in a join.
    func indexes<Item: Row>(of schema: Schema<Item>) throws(RepositoryError) -> [Int] {
        var found: [String: [Int]] = [:]
        for (index, name) in columnNames.enumerated() { found[name, default: []].append(index) }
        var indexes: [Int] = []
        for name in schema.names {
            guard let candidates = found[name] else {
                throw .misuse(detail: "the column \(name) of \(Item.rowName) is not in the result of: \(sql.excerpt)")
            }
            guard candidates.count == 1 else {
                throw .misuse(
                    detail: "the column \(name) occurs \(candidates.count) times in the result of: \(sql.excerpt)")
            }
            indexes += candidates
        }
        return indexes
    }
}

extension RowSource {
    func value<Value: ColumnValue>(_ type: Value.Type, at index: Int) throws(RepositoryError) -> Value {
        do {
            return try Value.read(from: ColumnCell(self, index: Int32(index), scale: 0))
        } catch {
            throw .decoding(entity: "result", column: "\(index)", detail: ColumnFault.sentence(error))
        }
    }
}

extension Schema {
    /// Makes an item from a row, whose columns are in the order of the schema.
    package func item(at row: RowSource) throws(RepositoryError) -> Root {
        do {
            return try decode(row)
        } catch {
            throw located(error, at: row)
        }
    }

    fileprivate func located(_ error: RepositoryError, at row: RowSource) -> RepositoryError {
        located(error) { index in try SQLValue(ColumnCell(row, index: Int32(index), scale: 0)) }
    }
}
