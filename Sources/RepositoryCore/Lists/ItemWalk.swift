/// A cursor that walks over the items of a tree, and can skip whole nodes.
struct ItemWalk: Sendable {
    /// The ancestors of `node`, from the root down, each with the index of the child on the path to `node`.
    private var path: ContiguousArray<(parent: ItemNode, index: Int)> = []
    /// The next node, or the leaf that the walk has entered; `nil` at the end.
    private(set) var node: ItemNode?
    /// The index of the next item in the leaf.
    private(set) var index = 0
    /// The number of items that the walk has passed.
    private(set) var offset = 0

    init(_ root: ItemNode) { node = root.count > 0 ? root : nil }

    var leaf: ItemNode? { node.flatMap { $0.height == 0 ? $0 : nil } }

    var key: ListKey? { leaf?.keys[index] }

    private mutating func expand() {
        guard let parent = node else { return }
        path.append((parent, 0))
        node = parent.children[0]
    }

    /// Enters the next leaf, unless the walk is in a leaf; returns `false` at the end.
    mutating func open() -> Bool {
        while let node, node.height > 0 { expand() }
        return node != nil
    }

    /// Moves past the next `count` items of the current leaf.
    mutating func advance(by count: Int = 1) {
        index += count
        offset += count
        if index == node?.count { leave() }
    }

    /// Skips the next node or, in a leaf, its remaining items.
    mutating func skip() {
        offset += (node?.count ?? 0) - index
        leave()
    }

    /// Moves to the node that follows `node` in the order of the items.
    private mutating func leave() {
        (index, node) = (0, nil)
        while let (parent, index) = path.popLast() {
            guard index + 1 < parent.children.count else { continue }
            path.append((parent, index + 1))
            node = parent.children[index + 1]
            return
        }
    }
}

extension ItemWalk {
    /// Moves both walks past the items that both trees share, to their next items with different stamps.
    static func passEqual(_ old: inout ItemWalk, _ new: inout ItemWalk) {
        repeat {
            while passSame(&old, &new) {}
            passCommon(&old, &new)
        } while passSame(&old, &new)
    }

    /// Moves past the next items that have equal stamps in the current leaves; returns `false` if no item has.
    private static func passSame(_ one: inout ItemWalk, _ other: inout ItemWalk) -> Bool {
        guard let left = one.leaf, let right = other.leaf else { return false }
        var count = 0
        let most = min(left.stamps.count - one.index, right.stamps.count - other.index)
        while count < most, left.stamps[one.index + count] == right.stamps[other.index + count] { count += 1 }
        guard count > 0 else { return false }
        one.advance(by: count)
        other.advance(by: count)
        return true
    }

    /// Moves both walks past the next nodes that are the same in both trees.
    ///
    /// Afterwards, each walk is in a leaf, or at its end.
    private static func passCommon(_ old: inout ItemWalk, _ new: inout ItemWalk) {
        while let one = old.node, let other = new.node {
            if one === other, old.index == new.index {
                if !skipSiblings(&old, &new) {
                    old.skip()
                    new.skip()
                }
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

    /// Skips the next siblings that both trees share, except the last child of a parent; returns `false` if there are
    /// none.
    private static func skipSiblings(_ old: inout ItemWalk, _ new: inout ItemWalk) -> Bool {
        guard old.index == 0, let one = old.path.last, let other = new.path.last else { return false }
        let most = min(one.parent.children.count - one.index, other.parent.children.count - other.index) - 1
        var (count, items) = (0, 0)
        while count < most {
            let child = one.parent.children[one.index + count]
            guard child === other.parent.children[other.index + count] else { break }
            items += child.count
            count += 1
        }
        guard count > 0 else { return false }
        old.pass(count, items)
        new.pass(count, items)
        return true
    }

    /// Skips `count` children of the parent, which hold `items` items; the parent has at least one more child.
    private mutating func pass(_ count: Int, _ items: Int) {
        let (parent, index) = path[path.count - 1]
        path[path.count - 1].index = index + count
        node = parent.children[index + count]
        offset += items
    }
}
