/// A maintainer of one item, which it follows by the primary key.
final class ReadMaintainer<Item: Entity>: Maintainer {
    let use: LiveUse
    private let readItem: @Sendable (ReadTransaction) throws -> Item?
    private let stored: RowKey
    private var rows = PerLayout<RowReader<Item>>()
    private var isFilled = false
    private var item: Item?

    init(
        _ stored: [SQLValue], of key: EntityKey<Item>,
        _ readItem: @escaping @Sendable (ReadTransaction) throws -> Item?
    ) {
        self.readItem = readItem
        self.stored = key.isComposite ? .values(stored) : .value(stored[0])
        use = LiveUse(table: Item.entityName, filter: .equal(column: key.names[0], [stored[0]]))
    }

    func fill(in transaction: ReadTransaction) throws -> Item?? {
        isFilled = false
        item = try readItem(transaction)
        isFilled = true
        return item
    }

    func apply(_ changes: TableChanges) -> UpdateEffect {
        guard isFilled, let rows = rows.made(of: changes.layout, RowReader.init) else { return lose() }
        guard let change = changes.change(of: stored) else { return .unaffected }
        guard let new = change.new else {
            item = nil
            return .updatedInPlace
        }
        guard let item = rows.item(of: new) else { return lose() }
        self.item = item
        return .updatedInPlace
    }

    private func lose() -> UpdateEffect {
        isFilled = false
        return .needsReread
    }

    func output() -> Item?? { .some(item) }
}

/// A reader that makes items from a table's rows, whose columns may be in another order than the schema's.
struct RowReader<Item: Entity> {
    private let columns: [Int]

    /// Returns `nil` if the table lacks a column of the entity, or has another primary key.
    init?(_ layout: TableLayout) {
        guard let columns = try? layout.indexes(of: Item.schema), let key = try? Item.schema.key.names else {
            return nil
        }
        guard layout.key == key.map({ layout.index(of: $0) }) else { return nil }
        self.columns = columns
    }

    /// Returns the item of a row, or `nil` if its values cannot be decoded.
    func item(of row: [SQLValue]) -> Item? { try? Item.schema.item(of: columns.map { row[$0] }) }

    /// Whether two rows have the same stored values in the item's columns.
    func areSame(_ left: [SQLValue], _ right: [SQLValue]) -> Bool { columns.allSatisfy { left[$0] == right[$0] } }
}
