extension ItemList {
    /// What makes this list of another: removals and insertions, which are associated where they have the same id.
    ///
    /// ```swift
    /// let (before, after) = (ItemList<Movie>([]), ItemList([movie]))
    /// print(after.difference(from: before).count)  // 1
    /// ```
    /// An item that was updated, or deleted and stored again, is removed and inserted, in its place or elsewhere.
    /// - Complexity: O(log *n*) for each change, where one list came from the other by changes; otherwise
    ///   O(*n* log *n*).
    public func difference(from other: ItemList) -> CollectionDifference<Item> {
        var found = FoundChanges<Item>()
        compare(with: other) { found.note($0) }
        return found.difference
    }

    /// Whether a list of as many items has the same ones in the same places.
    ///
    /// Their keys may differ: a row that is deleted and stored again has another number in the table.
    func isSame(as other: ItemList) -> Bool {
        let isSame = Self.comparison()
        guard isVersion(of: other) else { return zip(other, self).allSatisfy { isSame($0, $1) } }
        return tree.hasItems(of: other.tree, isSame)
    }

    /// Whether one list came from the other by changes, so that their numbers and keys tell what is the same.
    private func isVersion(of other: ItemList) -> Bool { tree.origin.map { $0 === other.tree.origin } ?? false }

    /// Returns what tells whether two items are equal, as they are stored.
    private static func comparison() -> (Item, Item) -> Bool {
        var texts: StoredTexts<Item>?
        return { left, right in
            guard left == right else { return false }
            let comparison = texts ?? StoredTexts()
            texts = comparison
            return comparison.areSame(left, right)
        }
    }

    /// Tells the changes that make this list of another.
    private func compare(with other: ItemList, _ tell: (ItemChange<Item>) -> Void) {
        let isSame = Self.comparison()
        if isVersion(of: other) {
            tree.compare(with: other.tree, isSame, tell)
        } else {
            ListMatch(Array(other), Array(self), isSame).tell(tell)
        }
    }
}

/// One item that is in one of two lists alone, or elsewhere in the other.
enum ItemChange<Item> {
    case removed(Item, at: Int)
    case inserted(Item, at: Int)
}

extension ItemTree {
    /// Goes through both trees in their order, and passes by the nodes that they have in common.
    ///
    /// - Complexity: O(log *n*) for each change, where one tree came from the other by changes; otherwise O(*n*).
    fileprivate func compare(
        with other: ItemTree, _ isSame: (Item, Item) -> Bool, _ tell: (ItemChange<Item>) -> Void
    ) {
        var (old, new) = (ItemWalk(other.root), ItemWalk(root))
        while true {
            if ItemWalk.passSame(&old, &new) { continue }
            Self.passCommon(&old, &new)
            if ItemWalk.passSame(&old, &new) { continue }
            guard let oldItem = old.item, let oldKey = old.key else {
                guard let item = new.item else { return }
                tell(.inserted(item, at: new.offset))
                new.advance()
                continue
            }
            let step = new.key.map { order.order(oldKey, $0) } ?? -1
            if let item = new.item, step == 0 {
                if !isSame(oldItem, item) {
                    tell(.removed(oldItem, at: old.offset))
                    tell(.inserted(item, at: new.offset))
                }
                old.advance()
                new.advance()
            } else if let item = new.item, step > 0 {
                tell(.inserted(item, at: new.offset))
                new.advance()
            } else {
                tell(.removed(oldItem, at: old.offset))
                old.advance()
            }
        }
    }

    /// Whether a tree of as many items has the same ones in the same places.
    fileprivate func hasItems(of other: ItemTree, _ isSame: (Item, Item) -> Bool) -> Bool {
        var (old, new) = (ItemWalk(other.root), ItemWalk(root))
        while true {
            if ItemWalk.passSame(&old, &new) { continue }
            Self.passCommon(&old, &new)
            if ItemWalk.passSame(&old, &new) { continue }
            guard let before = old.item, let item = new.item else { return true }
            guard isSame(before, item) else { return false }
            old.advance()
            new.advance()
        }
    }

    /// Brings both walks to their next item that is not in a node which both have.
    private static func passCommon(_ old: inout ItemWalk<Item>, _ new: inout ItemWalk<Item>) {
        while !old.isAtEnd || !new.isAtEnd {
            switch (old.leaf, new.leaf) {
            case (let one?, let other?):
                // Both are at the beginning of the same leaf only if one of them has just entered it.
                guard one === other, old.place == 0, new.place == 0 else { return }
                old.skip()
                new.skip()
            case (nil, _?) where !old.pending.isEmpty: _ = old.open()
            case (_?, nil) where !new.pending.isEmpty: _ = new.open()
            case (nil, nil):
                guard let one = old.pending.last, let other = new.pending.last else {
                    _ = old.open()
                    _ = new.open()
                    return
                }
                if one === other {
                    old.skip()
                    new.skip()
                } else if one.height == 0 && other.height == 0 {
                    _ = old.open()
                    _ = new.open()
                } else {
                    let height = max(one.height, other.height)
                    if one.height == height { old.expand() }
                    if other.height == height { new.expand() }
                }
            default: return
            }
        }
    }
}

/// The changes between two lists as the standard library has them.
private struct FoundChanges<Item: Entity> {
    private var removals: [(item: Item, offset: Int)] = []
    private var insertions: [(item: Item, offset: Int)] = []

    mutating func note(_ change: ItemChange<Item>) {
        switch change {
        case .removed(let item, let offset): removals.append((item, offset))
        case .inserted(let item, let offset): insertions.append((item, offset))
        }
    }

    var difference: CollectionDifference<Item> {
        var places: [SQLValue: Int] = [:]
        for (place, removal) in removals.enumerated() {
            if let id = storedID(removal.item) { places[id] = place }
        }
        var sources = [Int?](repeating: nil, count: removals.count)
        var changes: [CollectionDifference<Item>.Change] = []
        for (item, offset) in insertions {
            let place = storedID(item).flatMap { places.removeValue(forKey: $0) }
            if let place { sources[place] = offset }
            changes.append(
                .insert(offset: offset, element: item, associatedWith: place.map { removals[$0].offset }))
        }
        for (place, removal) in removals.enumerated() {
            changes.append(.remove(offset: removal.offset, element: removal.item, associatedWith: sources[place]))
        }
        guard let difference = CollectionDifference(changes) else {
            preconditionFailure("Two lists differ in each of their places once.")
        }
        return difference
    }

    private func storedID(_ item: Item) -> SQLValue? {
        try? Item.schema.key.identity(of: item.id)
    }
}
