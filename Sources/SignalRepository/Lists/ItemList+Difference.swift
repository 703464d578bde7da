extension ItemList {
    /// What makes this list of another: removals and insertions, which are associated where they have the same id.
    ///
    /// ```swift
    /// let (before, after) = (ItemList<Movie>([]), ItemList([movie]))
    /// print(after.difference(from: before).count)  // 1
    /// ```
    /// An item that was updated, or deleted and stored again, is removed and inserted, at its offset or elsewhere.
    /// - Complexity: O(log *n*) for each change, where one list came from the other by changes; otherwise
    ///   O(*n* log *n*).
    public func difference(from other: ItemList) -> CollectionDifference<Item> {
        let isSame = Self.comparison()
        let difference =
            isVersion(of: other)
            ? tree.difference(from: other.tree, isSame) : ListDifference(from: Array(other), to: Array(self), isSame)
        return difference.collectionDifference
    }

    /// Whether a list of as many items has the same ones at the same offsets.
    ///
    /// Their keys may differ: a row that is deleted and stored again has another number in the table.
    func isSame(as other: ItemList) -> Bool {
        let isSame = Self.comparison()
        guard isVersion(of: other) else { return zip(other, self).allSatisfy { isSame($0, $1) } }
        return tree.hasItems(of: other.tree, isSame)
    }

    /// Whether one list came from the other by changes, so that their numbers and keys identify items.
    private func isVersion(of other: ItemList) -> Bool { tree.origin.map { $0 === other.tree.origin } ?? false }

    /// Returns a function that compares two items as they are stored.
    private static func comparison() -> (Item, Item) -> Bool {
        var texts: StoredTexts<Item>?
        return { left, right in
            guard left == right else { return false }
            let comparison = texts ?? StoredTexts()
            texts = comparison
            return comparison.areSame(left, right)
        }
    }
}

extension ItemTree {
    /// Goes through both trees in their order, and passes by the nodes that they have in common.
    ///
    /// - Complexity: O(log *n*) for each change, where one tree came from the other by changes; otherwise O(*n*).
    fileprivate func difference(
        from other: ItemTree, _ isSame: (Item, Item) -> Bool
    ) -> ListDifference<Item> where Item: Entity {
        var difference = ListDifference<Item>()
        var (old, new) = (ItemWalk(other.root), ItemWalk(root))
        while true {
            ItemWalk.passEqual(&old, &new)
            guard let oldItem = item(at: old), let oldKey = old.key else {
                guard let item = item(at: new) else { return difference }
                difference.insertions.append((item, new.offset))
                new.advance()
                continue
            }
            let step = new.key.map { order.order(oldKey, $0) } ?? -1
            if let item = item(at: new), step == 0, isSame(oldItem, item) {
                old.advance()
                new.advance()
                continue
            }
            if step <= 0 {
                difference.removals.append((oldItem, old.offset))
                old.advance()
            }
            if let item = item(at: new), step >= 0 {
                difference.insertions.append((item, new.offset))
                new.advance()
            }
        }
    }

    /// Whether a tree of as many items has the same ones at the same offsets.
    fileprivate func hasItems(of other: ItemTree, _ isSame: (Item, Item) -> Bool) -> Bool {
        var (old, new) = (ItemWalk(other.root), ItemWalk(root))
        while true {
            ItemWalk.passEqual(&old, &new)
            guard let before = item(at: old), let item = item(at: new) else { return true }
            guard isSame(before, item) else { return false }
            old.advance()
            new.advance()
        }
    }

    /// The next item of a walk, once its leaf is open.
    private func item(at walk: ItemWalk) -> Item? { walk.leaf.map { ItemLeaf<Item>.of($0).items[walk.index] } }
}
