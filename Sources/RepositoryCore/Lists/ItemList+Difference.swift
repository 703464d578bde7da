extension ItemList {
    /// Returns the removals and insertions that turn another list into this one, associated by the items' ids.
    ///
    /// ```swift
    /// let (before, after) = (ItemList<Movie>([]), ItemList([movie]))
    /// print(after.difference(from: before).count)  // 1
    /// ```
    /// An item that was updated, or deleted and stored again, appears as a removal and an insertion, even at the same
    /// offset.
    /// - Complexity: O(log *n*) for each change between versions of one live list; otherwise O(*n* log *n*).
    public func difference(from other: ItemList) -> CollectionDifference<Item> {
        let isSame = Self.comparison()
        let difference =
            isVersion(of: other)
            ? tree.difference(from: other.tree, isSame) : ListDifference(from: Array(other), to: Array(self), isSame)
        return difference.collectionDifference
    }

    /// Returns whether both lists are versions of one live list; see `ItemTree.isVersion(of:)`.
    private func isVersion(of other: ItemList) -> Bool { tree.isVersion(of: other.tree) }

    /// Returns a function that compares two items as they are stored.
    static func comparison() -> (Item, Item) -> Bool {
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
    /// Whether both trees are versions of one live list; only then can their stamps (insertion numbers) be compared.
    fileprivate func isVersion(of other: ItemTree) -> Bool { origin.map { $0 === other.origin } ?? false }

    /// Returns whether another tree has the same items at the same offsets.
    ///
    /// The list keys of equal items may differ: a row that was deleted and stored again may have a new rowid.
    func isSame(as other: ItemTree, _ isSame: (Item, Item) -> Bool) -> Bool {
        if root === other.root { return true }
        guard count == other.count else { return false }
        guard isVersion(of: other) else { return zip(other.array, array).allSatisfy { isSame($0, $1) } }
        return hasItems(of: other, isSame)
    }

    /// Returns the differences from another tree; walks both trees in order, and skips the nodes that they share.
    ///
    /// - Complexity: O(log *n*) for each change between versions of one list; otherwise O(*n*).
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

    /// Returns whether a tree of the same size has the same items at the same offsets.
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

    /// Returns the next item of a walk; `nil` if the walk is at its end or has not entered a leaf.
    private func item(at walk: ItemWalk) -> Item? { walk.leaf.map { ItemLeaf<Item>.of($0).items[walk.index] } }
}
