/// The items of a live list.
///
/// Keeping an old list costs almost nothing, because the list after a change shares nearly all storage with the list
/// before it. Access by index takes O(log *n*). Iteration over all items takes O(*n*), as with an array.
///
/// ```swift
/// let items = ItemList([movie])
/// let titles = items.prefix(20).map(\.title)
/// ```
public struct ItemList<Item: Entity & Equatable>: RandomAccessCollection, Sendable {
    let tree: ItemTree<Item>

    init(_ tree: ItemTree<Item>) {
        self.tree = tree
    }

    /// Creates a list of items in the given order.
    ///
    /// - Complexity: O(*n*).
    public init(_ items: some Collection<Item>) {
        tree = ItemTree(items, keys: [], order: ListOrder(isDescending: []), origin: nil)
    }

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of items.
    public var endIndex: Int { tree.count }

    /// The item at an index.
    ///
    /// - Complexity: O(log *n*).
    public subscript(index: Int) -> Item {
        precondition(indices.contains(index), "The index \(index) is out of the list's bounds.")
        return tree.item(at: index)
    }

    /// Returns an iterator over the items.
    public func makeIterator() -> Iterator { Iterator(tree.root) }

    /// An iterator over the items of a list, in its order.
    public struct Iterator: IteratorProtocol, Sendable {
        private var walk: ItemWalk
        /// The items of the current leaf, which the walk has already passed.
        private var items: ContiguousArray<Item> = []
        private var index = 0

        fileprivate init(_ root: ItemNode) { walk = ItemWalk(root) }

        /// Returns the next item; `nil` after the last one.
        public mutating func next() -> Item? {
            if index == items.count {
                guard walk.open(), let leaf = walk.leaf else { return nil }
                (items, index) = (ItemLeaf<Item>.of(leaf).items, 0)
                walk.skip()
            }
            defer { index += 1 }
            return items[index]
        }
    }
}

extension ItemList {
    var array: [Item] { tree.array }
}

extension ItemTree {
    var array: [Item] {
        var items: [Item] = []
        items.reserveCapacity(count)
        var walk = ItemWalk(root)
        while walk.open(), let leaf = walk.leaf {
            items.append(contentsOf: ItemLeaf<Item>.of(leaf).items)
            walk.skip()
        }
        return items
    }
}

extension ItemList: Equatable {
    /// Returns whether both lists have equal items in the same order; items are compared as they are stored.
    ///
    /// - Complexity: O(log *n*) for each difference between versions of one live list; otherwise O(*n*).
    public static func == (left: ItemList, right: ItemList) -> Bool {
        right.tree.isSame(as: left.tree, comparison())
    }
}
