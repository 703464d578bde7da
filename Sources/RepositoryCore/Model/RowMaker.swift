import Foundation

/// A maker of items from rows keyed by column name; it checks each row and fills in missing columns.
///
/// It encodes the values of a row, and decodes the item from them as from a row of a table. So a value that does not
/// fit its property is reported before anything is stored.
struct RowMaker<Item: Entity> {
    private let schema: Schema<Item>
    private let key: EntityKey<Item>
    /// The value of each column for a row that omits the column; `nil` if a row must not omit it.
    private let absent: [SQLValue?]

    /// Creates a maker; `now` is the value of `.created` and `.updated` columns in rows that omit them.
    init(_ type: Item.Type, now: Date = .distantPast) throws(RepositoryError) {
        schema = Item.schema
        key = try schema.key
        var absent: [SQLValue?] = []
        for column in schema.columns {
            let value = try column.defaultValue?()
            let placeholder = try column.managedPlaceholder(now)
            absent.append(value ?? placeholder ?? (column.isOptional ? .null : nil))
        }
        self.absent = absent
    }

    /// Makes an item from a row; an error contains `index`, the row's index in its batch.
    func item(_ row: [String: any Sendable], at index: Int) throws(RepositoryError) -> Item {
        do throws(RepositoryError) {
            return try schema.item(of: values(row))
        } catch {
            let values = key.columns.compactMap { column in row[column.name].flatMap { column.holds($0) ? $0 : nil } }
            let id = values.count == key.columns.count ? values.map { "\($0)" }.joined(separator: ", ") : nil
            throw error.asEncoding.about(FailedItem(entity: Item.entityName, id: id, index: index))
        }
    }

    private func values(_ row: [String: any Sendable]) throws(RepositoryError) -> [SQLValue] {
        var found = 0
        var values: [SQLValue] = []
        for (index, column) in schema.columns.enumerated() {
            var stored = absent[index]
            if let value = row[column.name] {
                found += 1
                stored = try column.given(value)
            }
            guard let stored else {
                try refuseUnknownColumns(row)
                throw column.refusal("the row omits it, but it is not optional and has no default")
            }
            if case .real(let number) = stored, number.isNaN {
                throw column.refusal("not a number (NaN) cannot be stored")
            }
            values.append(stored)
        }
        if found < row.count { try refuseUnknownColumns(row) }
        return values
    }

    /// Throws if the row contains a name that is not the name of a column.
    ///
    /// This error takes precedence over the error for a missing column, because a misspelled name explains that error.
    private func refuseUnknownColumns(_ row: [String: any Sendable]) throws(RepositoryError) {
        let unknown = row.keys.filter { name in !schema.columns.contains { $0.name == name } }.min()
        guard let unknown else { return }
        throw .encoding(entity: Item.entityName, column: unknown, detail: "the entity has no column of this name")
    }
}

extension AnyColumn {
    fileprivate func given(_ value: any Sendable) throws(RepositoryError) -> SQLValue {
        if let stored = value as? SQLValue { return stored }
        if let stored = try convert(value) { return stored }
        throw refusal("a value of \(type(of: value)) is given, but the column holds \(valueType)")
    }

    /// Whether a value is of the property's type and can be stored.
    fileprivate func holds(_ value: any Sendable) -> Bool { (try? convert(value)) ?? nil != nil }

    /// Returns the placeholder for a value that the store manages; `nil` if rows provide the value.
    fileprivate func managedPlaceholder(_ now: Date) throws(RepositoryError) -> SQLValue? {
        switch managedValue {
        case .generated: .integer(0)
        case .created, .updated: try stored(now)
        case nil: nil
        }
    }

    fileprivate func refusal(_ detail: String) -> RepositoryError {
        .encoding(entity: Root.rowName, column: name, detail: detail)
    }

}

extension RepositoryError {
    /// The error, as an encoding error if it is a decoding error: the value comes from the program, not from the store.
    fileprivate var asEncoding: RepositoryError {
        guard case .decoding(let entity, let column, let detail, _) = self else { return self }
        return .encoding(entity: entity, column: column, detail: detail)
    }
}
