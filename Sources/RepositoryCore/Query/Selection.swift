/// A part of a row that a query can select: a term, or a whole item.
protocol Selectable: Sendable {
    associatedtype Selected: Sendable
    /// Returns the selection of a part; static, because an instance method would hide an item's property `selection`.
    static func selection(of selectable: Self) -> Selection<Selected>
}

/// An element of a selected row: its values in the statement, its group keys, and its reader.
struct Selection<Output: Sendable>: Sendable {
    /// The values that the statement selects for the element.
    let outputs: Result<[TermValue], RepositoryError>
    /// The values by which rows are grouped if the element is a key.
    let keys: Result<[TermValue], RepositoryError>
    /// Reads the values, which begin at a position in the row, and advances the position past them.
    let read: @Sendable (RowSource, inout Int) throws(RepositoryError) -> Output
}

extension Term: Selectable where Value: ColumnValue {
    static func selection(of term: Term) -> Selection<Value> {
        let reader = TermReader(term)
        return Selection(
            outputs: Result { () throws(RepositoryError) in [try term.output()] },
            keys: Result { () throws(RepositoryError) in
                let key = try term.value()
                try key.checkStoredAsOwnType()
                return [key]
            },
            read: { row, position throws(RepositoryError) in try reader.next(row, &position) })
    }
}

extension Columns: Selectable {
    static func selection(of columns: Columns) -> Selection<Item> {
        Selection(Item.self, of: columns.table, reader: Item.schema.decode)
    }
}

extension OptionalColumns: Selectable {
    static func selection(of columns: OptionalColumns) -> Selection<Item?> {
        Selection(Item.self, of: columns.table, isOptional: true, reader: Item.readerIfPresent)
    }
}

extension Selection {
    /// Selects all columns of a table, and groups rows by its key; of a view, by all columns.
    fileprivate init<Item: Entity>(
        _ item: Item.Type, of table: String?, isOptional: Bool = false,
        reader: @escaping @Sendable (RowSource) throws(RepositoryError) -> Output
    ) {
        let schema = Item.schema
        let value: (AnyColumn<Item>) -> TermValue = { column in
            TermValue(
                .column(StoredColumn(column, of: table, isOptional: isOptional)),
                isOptional: isOptional || column.isOptional, column.storageClass, scale: column.scale ?? 0)
        }
        let width = schema.columns.count
        outputs = .success(schema.columns.map(value))
        keys = Result { () throws(RepositoryError) in
            let key = try schema.key.columns
            // A server selects columns outside GROUP BY only if the table has a primary key, and a view has none.
            let columns = schema.isView ? schema.columns : []
            return (key + columns.filter { column in !key.contains { $0.name == column.name } }).map(value)
        }
        read = { row, position throws(RepositoryError) in
            defer { position += width }
            return try reader(row.advanced(by: position))
        }
    }
}
