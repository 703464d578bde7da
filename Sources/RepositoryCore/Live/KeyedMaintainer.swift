/// A maintainer of a list whose items only the store can compute; it re-reads the items that changed rows may affect.
///
/// From the changes, the maintainer finds the primary keys of affected rows in the query's first table. It executes the
/// query's own statement for these keys only, and replaces the held items by the result. So the store itself evaluates
/// the condition, the joins and the included items.
final class KeyedMaintainer<Root: Sendable, Item: Sendable, Output>: Maintainer {
    var comparesOutput: Bool { read.showsAll }

    private let query: KeyedQuery<Root>
    private let read: ListRead<Root, Item, Output>
    private var parts: ListParts<Item>
    /// For each row of the query's first table, by its primary key: the list keys of the items that are made from the
    /// row.
    private var listKeys: [[SQLValue]: [ListKey]] = [:]
    private var changes: KeyedChanges

    init(_ query: KeyedQuery<Root>, _ read: ListRead<Root, Item, Output>) {
        (self.query, self.read) = (query, read)
        changes = KeyedChanges(query.links)
        parts = ListParts(query.extent, query.order)
    }

    func fill(in transaction: ReadTransaction) throws -> Output? {
        _ = lose()
        guard parts.prepare(in: transaction, addedBytes: KeyedChanges.rowBytes) else { return nil }
        let held = try changes.measure { try query.read(in: transaction) }
        changes.count = held.items.count
        let end = query.extent.limit.map { min(held.before + $0, held.items.count) } ?? held.items.count
        let shown = try read.complete(transaction, Array(held.items[held.before..<end]))
        // A fresh query would not read items outside its limit, so a failure to decode them must not fail the query.
        guard held.isComplete, held.items.count <= parts.most,
            let first = try? read.complete(transaction, Array(held.items[..<held.before])),
            let last = try? read.complete(transaction, Array(held.items[end...]))
        else {
            return read.make(ItemTree(shown, keys: [], order: query.order, origin: nil))
        }
        parts.fill(first + shown + last, held.keys, before: held.before)
        for key in held.keys { listKeys[query.key(in: key), default: []].append(key) }
        return read.make(parts.shown)
    }

    func apply(_ changes: TableChanges) -> UpdateEffect {
        let effect = parts.isFilled ? self.changes.add(changes) : .needsReread
        return effect == .needsReread ? lose() : effect
    }

    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect {
        guard parts.isFilled, let keys = try changes.takeKeys(in: transaction) else { return lose() }
        if keys.isEmpty { return .unaffected }
        var found: (items: [Root], keys: [ListKey]) = ([], [])
        try changes.measure(keys: keys.count) {
            try query.forEach(keys, in: transaction) { key, item throws(RepositoryError) in
                guard parts.isHeld(key) else { return }
                found.items.append(try item())
                found.keys.append(key)
            }
        }
        let items = try read.complete(transaction, found.items)
        for key in keys {
            for listKey in listKeys.removeValue(forKey: key) ?? [] where parts.remove(listKey) == nil { return lose() }
        }
        for (listKey, item) in zip(found.keys, items) {
            guard parts.put(item, at: listKey, isNew: true) else { return lose() }
            listKeys[query.key(in: listKey), default: []].append(listKey)
        }
        guard parts.settle({ release($0) }) else { return lose() }
        return parts.needsRefill ? .needsRefill : .updatedInPlace
    }

    func output() -> Output? { parts.changed(read.isSame).map(read.make) }

    private func release(_ listKey: ListKey) {
        let key = query.key(in: listKey)
        listKeys[key]?.removeAll { $0 == listKey }
        if listKeys[key]?.isEmpty == true { listKeys[key] = nil }
    }

    private func lose() -> UpdateEffect {
        parts.clear()
        listKeys = [:]
        changes.clear()
        return .needsReread
    }
}
