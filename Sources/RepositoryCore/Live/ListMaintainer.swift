/// A maintainer of a list of one table, which moves changed rows to the positions of their list keys.
///
/// The list needs a refill when the items that it holds beyond its limit are used up.
final class ListMaintainer<Item: Sendable, Output>: Maintainer {
    var comparesOutput: Bool { read.showsAll }

    private let window: ListWindow<Item>
    private let read: ListRead<Item, Item, Output>
    private var parts: ListParts<Item>
    private var rows = PerLayout<ListRows<Item>>()

    init(_ window: ListWindow<Item>, _ read: ListRead<Item, Item, Output>) {
        (self.window, self.read) = (window, read)
        parts = ListParts(window.extent, window.order)
    }

    func fill(in transaction: ReadTransaction) throws -> Output? {
        guard parts.prepare(in: transaction) else { return nil }
        let held = try window.read(in: transaction)
        parts.fill(held.items, held.keys, before: held.before)
        let list = parts.shown
        // An incomplete or too long list is delivered but not held, so it is re-read after each change.
        if !held.isComplete || parts.count > parts.most { parts.clear() }
        return read.make(list)
    }

    func apply(_ changes: TableChanges) -> UpdateEffect {
        guard parts.isFilled, let rows = rows.made(of: changes.layout, { ListRows(window, $0) }) else { return lose() }
        var entering: [(key: ListKey, row: [SQLValue], isMoved: Bool)] = []
        var isAffected = false
        for change in changes.changes + (window.isInRowOrder ? changes.renumbered : []) {
            guard let keys = try? (rows.key(of: change.old, change.ids.old), rows.key(of: change.new, change.ids.new))
            else { return lose() }
            let old = keys.0.flatMap { parts.isHeld($0) ? $0 : nil }
            let new = keys.1.flatMap { parts.isHeld($0) ? $0 : nil }
            if let old, old != new, parts.remove(old) == nil { return lose() }
            guard let new, let row = change.new else {
                if old != nil { isAffected = true }
                continue
            }
            if old == new, let before = change.old, rows.reader.areSame(before, row) { continue }
            isAffected = true
            entering.append((new, row, old != new))
        }
        // All removals come before the insertions, because a row may have the rowid that another row had before.
        for (key, row, isMoved) in entering {
            guard let item = rows.reader.item(row), parts.put(item, at: key, isNew: isMoved) else { return lose() }
        }
        if !isAffected { return .unaffected }
        guard parts.settle() else { return lose() }
        return parts.needsRefill ? .needsRefill : .updatedInPlace
    }

    func output() -> Output? { parts.changed(read.isSame).map(read.make) }

    private func lose() -> UpdateEffect {
        parts.clear()
        return .needsReread
    }
}
