/// Follows one item by its primary key.
final class ReadMaintainer<Item: Entity>: Maintainer {
    let table = Item.entityName
    let key: SQLValue?
    private let readItem: @Sendable (ReadTransaction) throws -> Item?
    private let stored: SQLValue
    private var rows = RowReader<Item>()
    private var isFilled = false
    private var item: Item?

    /// `nil` when the id is none that can be stored: the query says why.
    init?(_ id: Item.ID, _ readItem: @escaping @Sendable (ReadTransaction) throws -> Item?) {
        guard let column = try? Item.schema.key, let stored = try? id.sqlValue(scale: column.scale ?? 0) else {
            return nil
        }
        (self.readItem, self.stored, key) = (readItem, stored, stored)
    }

    func fill(in transaction: ReadTransaction) throws -> Item? {
        isFilled = false
        item = try readItem(transaction)
        isFilled = true
        return item
    }

    func apply(_ changes: TableChanges) -> Patch {
        guard isFilled else { return .lost }
        guard let change = changes.change(of: .value(stored)) else { return .unaffected }
        guard let new = change.new else {
            item = nil
            return .patched
        }
        guard let item = rows.item(of: new, changes.layout) else {
            isFilled = false
            return .lost
        }
        self.item = item
        return .patched
    }

    func output() -> Item? { item }
}

/// Makes items of the rows of a table, in whatever order its columns stand.
struct RowReader<Item: Entity> {
    private var layout: TableLayout?
    private var places: [Int]?

    /// The item of a row; `nil` when it is none, or its table is not one whose rows speak for themselves.
    mutating func item(of row: [SQLValue], _ layout: TableLayout) -> Item? {
        if layout !== self.layout {
            self.layout = layout
            places = layout.isExact ? try? layout.places(of: Item.schema) : nil
        }
        return places.flatMap { places in try? Item.schema.item(of: places.map { row[$0] }) }
    }
}
