/// A maintainer of one item, which it follows by the primary key.
final class ReadMaintainer<Item: Entity>: Maintainer {
    private let readItem: @Sendable (ReadTransaction) throws -> Item?
    private let key: [String]
    private let values: [SQLValue]
    private let stored: RowKey
    private var rows = PerLayout<RowReader<Item>>()
    private var isFilled = false
    private var item: Item?

    init(
        _ stored: [SQLValue], of key: EntityKey<Item>,
        _ readItem: @escaping @Sendable (ReadTransaction) throws -> Item?
    ) {
        (self.readItem, self.key, values) = (readItem, key.names, stored)
        self.stored = key.isComposite ? .values(stored) : .value(stored[0])
    }

    func fill(in transaction: ReadTransaction) throws -> Item?? {
        isFilled = false
        item = try readItem(transaction)
        isFilled = true
        return item
    }

    func apply(_ changes: TableChanges) -> UpdateEffect {
        let rows = rows.made(of: changes.layout) { layout in
            layout.key == key.map { layout.index(of: $0) } && keeps(layout) ? RowReader(layout) : nil
        }
        guard isFilled, let rows else { return lose() }
        guard let change = changes.change(of: stored) else { return .unaffected }
        guard let new = change.new else {
            item = nil
            return .updatedInPlace
        }
        guard let item = rows.item(new) else { return lose() }
        self.item = item
        return .updatedInPlace
    }

    /// Whether the table stores the key's values unchanged; a NUMERIC column stores 3.0 as 3.
    private func keeps(_ layout: TableLayout) -> Bool {
        zip(layout.key, values).allSatisfy { layout.columns[$0].affinity != .numeric || $1.storageClass != .real }
    }

    private func lose() -> UpdateEffect {
        isFilled = false
        return .needsReread
    }

    func output() -> Item?? { .some(item) }
}

/// The functions that make items from the rows of one table layout.
struct RowReader<Item> {
    /// Returns the item of a row; `nil` if its values cannot be decoded.
    let item: ([SQLValue]) -> Item?
    /// Whether two rows have the same stored values for the item.
    let areSame: ([SQLValue], [SQLValue]) -> Bool
}

extension RowReader where Item: Entity {
    /// Returns `nil` if the table lacks a column of the entity.
    init?(_ layout: TableLayout) {
        guard let columns = try? layout.indexes(of: Item.schema) else { return nil }
        self.init(
            item: { row in try? Item.schema.item(of: columns.map { row[$0] }) },
            areSame: { left, right in columns.allSatisfy { left[$0] == right[$0] } })
    }
}

extension Entity {
    static func rowReader(_ layout: TableLayout) -> Any? { RowReader<Self>(layout) }
}

extension RowReader {
    /// Creates the functions for selected terms; `nil` if a term cannot be evaluated for rows of this layout.
    init?<Selected>(
        _ statement: SelectStatement, _ layout: TableLayout, _ read: @escaping ([SQLValue]) throws -> Selected
    ) where Item == SelectedRow<Selected> {
        let columns = RowColumns(layout)
        guard let terms = statement.outputs.mapAll({ $0.term.rowTerm(columns) }) else { return nil }
        let values = { (row: [SQLValue]) in try terms.map { term in try term.value(row) } }
        self.init(
            item: { row in
                guard let values = try? values(row), let selected = try? read(values) else { return nil }
                return (selected, values)
            },
            areSame: { left, right in
                guard let left = try? values(left), let right = try? values(right) else { return false }
                return left == right
            })
    }
}
