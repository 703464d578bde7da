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
            Self.passEqual(&old, &new)
            guard let oldItem = old.item, let oldKey = old.key else {
                guard let item = new.item else { return difference }
                difference.insertions.append((item, new.offset))
                new.advance()
                continue
            }
            let step = new.key.map { order.order(oldKey, $0) } ?? -1
            if let item = new.item, step == 0, isSame(oldItem, item) {
                old.advance()
                new.advance()
                continue
            }
            if step <= 0 {
                difference.removals.append((oldItem, old.offset))
                old.advance()
            }
            if let item = new.item, step >= 0 {
                difference.insertions.append((item, new.offset))
                new.advance()
            }
        }
    }

    /// Whether a tree of as many items has the same ones at the same offsets.
    fileprivate func hasItems(of other: ItemTree, _ isSame: (Item, Item) -> Bool) -> Bool {
        var (old, new) = (ItemWalk(other.root), ItemWalk(root))
        while true {
            Self.passEqual(&old, &new)
            guard let before = old.item, let item = new.item else { return true }
            guard isSame(before, item) else { return false }
            old.advance()
            new.advance()
        }
    }

    /// Brings both walks to the next items that do not have one number.
    private static func passEqual(_ old: inout ItemWalk<Item>, _ new: inout ItemWalk<Item>) {
        repeat {
            while ItemWalk.passSame(&old, &new) {}
            passCommon(&old, &new)
        } while ItemWalk.passSame(&old, &new)
    }

    /// Brings both walks to their next item that is not in a node which both have.
    private static func passCommon(_ old: inout ItemWalk<Item>, _ new: inout ItemWalk<Item>) {
        while let one = old.node, let other = new.node {
            if one === other, old.index == new.index {
                old.skip()
                new.skip()
            } else if one.height == 0 && other.height == 0 {
                return
            } else {
                let height = max(one.height, other.height)
                if one.height == height { old.expand() }
                if other.height == height { new.expand() }
            }
        }
        _ = old.open()
        _ = new.open()
    }
}
