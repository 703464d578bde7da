/// Keeps a list of items from several tables up to date by re-reading the items that changed rows may affect.
///
/// The changes lead to keys of the first table. In the snapshot of the pass, the query's own statement is executed for
/// these keys only, and its items replace the held ones. So the store itself evaluates the condition, the joins and
/// the included items.
final class KeyedMaintainer<Root: Fetchable, Item: Sendable, Output>: Maintainer {
    let use: LiveUse
    private let query: KeyedQuery<Root>
    private let form: KeyedForm<Root, Item, Output>
    private var parts: ListParts<Item>
    /// The list keys of the items made from a row of the first table, by the row's primary key.
    private var places: [[SQLValue]: [ListKey]] = [:]
    private var changes: KeyedChanges
    private var isFilled = false

    init(_ query: KeyedQuery<Root>, _ form: KeyedForm<Root, Item, Output>) {
        (self.query, self.form) = (query, form)
        let links = query.links
        let filters = links.tables.map { ($0, links.test(of: $0).rowFilter) }
        use = LiveUse(Dictionary(uniqueKeysWithValues: filters))
        changes = KeyedChanges(links)
        parts = ListParts(query.extent, query.order)
    }

    func fill(in transaction: ReadTransaction) throws -> Output? {
        _ = lose()
        let held = try query.read(in: transaction)
        let end = query.extent.limit.map { min(held.before + $0, held.items.count) } ?? held.items.count
        let shown = try form.complete(transaction, Array(held.items[held.before..<end]))
        // Items that are not shown, or their included ones, may fail to decode: a fresh query would not read them.
        guard held.isWhole,
            let first = try? form.complete(transaction, Array(held.items[..<held.before])),
            let last = try? form.complete(transaction, Array(held.items[end...]))
        else {
            return form.make(ItemTree(shown, keys: [], order: query.order, origin: nil))
        }
        parts.fill(first + shown + last, held.keys, before: held.before)
        for key in held.keys { places[query.key(in: key), default: []].append(key) }
        isFilled = true
        return form.make(parts.shown)
    }

    func apply(_ changes: TableChanges) -> UpdateEffect {
        guard isFilled, self.changes.add(changes, query) else { return lose() }
        return self.changes.isEmpty ? .unaffected : .rereadByKey
    }

    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect {
        guard isFilled, let keys = try query.keys(concernedBy: changes, in: transaction) else { return lose() }
        changes = KeyedChanges(query.links)
        if keys.isEmpty { return .unaffected }
        let found = try query.read(keys, in: transaction, parts.isHeld)
        let items = try form.complete(transaction, found.items)
        var old: [ListKey: Item] = [:]
        for key in keys {
            for place in places.removeValue(forKey: key) ?? [] {
                guard let item = parts.remove(place) else { return lose() }
                old[place] = item
            }
        }
        var isChanged = old.count != items.count
        for (place, item) in zip(found.keys, items) {
            if !isChanged { isChanged = old[place].map { !form.isSame($0, item) } ?? true }
            let count = parts.count
            // Items with the same key would be indistinguishable.
            guard parts.put(item, at: place), parts.count > count else { return lose() }
            places[query.key(in: place), default: []].append(place)
        }
        guard parts.settle({ release($0) }) else { return lose() }
        return parts.needsRefill ? .needsRefill : isChanged ? .updatedInPlace : .unaffected
    }

    func output() -> Output? { form.make(parts.shown) }

    private func release(_ place: ListKey) {
        let key = query.key(in: place)
        places[key]?.removeAll { $0 == place }
        if places[key]?.isEmpty == true { places[key] = nil }
    }

    private func lose() -> UpdateEffect {
        isFilled = false
        parts.clear()
        places = [:]
        changes = KeyedChanges(query.links)
        return .needsReread
    }
}
