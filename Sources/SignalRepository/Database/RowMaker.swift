/// Makes items of rows that are given by the names of columns: checks each against the schema, and fills in what it
/// leaves out.
///
/// The values are bound to a statement that returns them, and the item is read from it as from a table. So every value
/// is one of its property's before anything is written, and what is written is an item like any other.
struct RowMaker<Item: Entity> {
    private let schema: Schema<Item>
    private let keyName: String
    /// What a column holds when a row leaves it out; `nil` when a row must not.
    private let absent: [SQLValue?]
    private let statement: Statement

    init(_ type: Item.Type, on connection: Connection) throws(RepositoryError) {
        schema = Item.schema
        keyName = try schema.key.name
        var absent: [SQLValue?] = []
        for column in schema.columns { absent.append(try column.defaultValue?() ?? (column.isOptional ? .null : nil)) }
        self.absent = absent
        statement = try connection.cached(SQLText.returning(parameters: schema.columns.count).text)
    }

    /// Makes the item of a row, which is the one at `place` of many.
    func item(_ row: [String: any Sendable], at place: Int) throws(RepositoryError) -> Item {
        defer {
            statement.reset()
            statement.clear()
        }
        do throws(RepositoryError) {
            try bind(row)
            guard try statement.step() else { throw .misuse(detail: "a row was not returned") }
            return try schema.decode(statement.pointer)
        } catch {
            let id = (row[keyName] as? Item.ID).map { "\($0)" }
            throw error.asEncoding.about(FailedItem(entity: Item.entityName, id: id, index: place))
        }
    }

    private func bind(_ row: [String: any Sendable]) throws(RepositoryError) {
        var found = 0
        for (place, column) in schema.columns.enumerated() {
            var stored = absent[place]
            if let value = row[column.name] {
                found += 1
                stored = try column.stored(value)
            }
            guard let stored else {
                throw column.refusal("the row leaves it out, and it is not optional and has no default")
            }
            do throws(RepositoryError) {
                try statement.bind(stored, at: place + 1)
            } catch {
                throw column.refusal(error)
            }
        }
        guard found < row.count else { return }
        let stranger = row.keys.filter { name in !schema.columns.contains { $0.name == name } }.min() ?? ""
        throw .encoding(entity: Item.entityName, column: stranger, detail: "the entity has no column of this name")
    }
}

extension AnyColumn {
    /// A value of a row as this column would store it.
    fileprivate func stored(_ value: any Sendable) throws(RepositoryError) -> SQLValue {
        if let stored = value as? SQLValue { return stored }
        if let stored = try convert(value) { return stored }
        throw refusal("a value of \(type(of: value)) is given, and it holds \(valueType)")
    }

    fileprivate func refusal(_ detail: String) -> RepositoryError {
        .encoding(entity: Root.entityName, column: name, detail: detail)
    }

    /// What is wrong with a parameter, said of the column.
    fileprivate func refusal(_ error: RepositoryError) -> RepositoryError {
        guard case .encoding(_, _, let detail, _) = error else { return error }
        return refusal(detail)
    }
}

extension RepositoryError {
    /// A value that cannot be read back is one that must not be stored.
    fileprivate var asEncoding: RepositoryError {
        guard case .decoding(let entity, let column, let detail, _) = self else { return self }
        return .encoding(entity: entity, column: column, detail: detail)
    }
}
