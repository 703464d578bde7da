/// What a selection can read of each row: a term, or all of an item.
protocol Selectable: Sendable {
    associatedtype Selected: Sendable
    /// How it is read; a function of the type, so that no property of an item is hidden by it.
    static func selection(of selectable: Self) -> Selection<Selected>
}

/// How one element of a selected row is read.
struct Selection<Output: Sendable>: Sendable {
    /// The values that the statement reads for it.
    let outputs: Result<[TermValue], RepositoryError>
    /// The values by which rows are of one group.
    let keys: Result<[TermValue], RepositoryError>
    /// Reads the values, which begin at a place of the row, and goes on to the place after them.
    let read: @Sendable (RowSource, inout Int) throws(RepositoryError) -> Output
}

extension Term: Selectable where Value: ColumnValue {
    static func selection(of term: Term) -> Selection<Value> {
        let reader = TermReader(term)
        return Selection(
            outputs: Result { () throws(RepositoryError) in [try term.output()] },
            keys: Result { () throws(RepositoryError) in
                let key = try term.value()
                try key.checkPlain()
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
    /// Reads all columns of a table, whose rows are told apart by its key.
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
        keys = Result { () throws(RepositoryError) in try schema.key.columns.map(value) }
        read = { row, position throws(RepositoryError) in
            defer { position += width }
            return try reader(row.advanced(by: position))
        }
    }
}
