import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The items of a live list", .timeLimit(.minutes(5))) struct ItemListTests {
    private static let stamps = Stamps()
    private static let order = ListOrder(isDescending: [true])

    /// The key of a term; many terms share a sort key, and the greatest sort key comes first.
    private static func key(_ term: Entry) -> ListKey { ListKey([.integer(Int64(term.uses))], .text(term.id)) }

    private static func isBefore(_ one: Entry, _ other: Entry) -> Bool { order.order(key(one), key(other)) < 0 }

    private static func tree(_ terms: [Entry]) -> ItemTree<Entry> {
        ItemTree(terms, keys: ContiguousArray(terms.map(key)), order: order, origin: ListOrigin())
    }

    private static func terms(_ count: Int, _ random: inout SeededGenerator) -> [Entry] {
        (0..<count).map {
            Entry(id: "\($0)", text: TextZoo.random(&random), uses: Int.random(in: 0..<9, using: &random))
        }
        .sorted(by: isBefore)
    }

    @Test(
        "A list equals the array of its items at any length", arguments: [0, 1, 2, 63, 64, 65, 4_096, 4_097, 30_000])
    func collection(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let terms = Self.terms(count, &random)
        let list = ItemList(Self.tree(terms))
        #expect(Array(list) == terms)
        #expect(list.array == terms)
        #expect(list.count == count)
        #expect(list.indices.allSatisfy { list[$0] == terms[$0] })
        #expect(list.reversed().elementsEqual(terms.reversed()))
        #expect(Array(ItemList(terms)) == terms)
        #expect(ItemList(terms) == list)
    }

    @Test("Random changes keep earlier versions intact, and a difference makes one of another", arguments: 0..<10)
    func versions(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var model = Self.terms([0, 1, 70, 600, 3_000][seed % 5], &random)
        var tree = Self.tree(model)
        var versions: [(list: ItemList<Entry>, model: [Entry])] = [(ItemList(tree), model)]
        for version in 1...12 {
            for _ in 0..<[1, 3, 100, 400][version % 4] {
                let isRemoval = Int.random(in: 0..<(version > 8 ? 4 : 2), using: &random) > 0
                if isRemoval, let index = model.indices.randomElement(using: &random) {
                    let term = model.remove(at: index)
                    let removed = tree.remove(Self.key(term))
                    #expect(removed == term)
                } else {
                    let id = "\(Int.random(in: 0..<9_000, using: &random))"
                    let term = Entry(id: id, text: TextZoo.random(&random), uses: Int.random(in: 0..<9, using: &random))
                    if let old = model.first(where: { $0.id == id }) {
                        let removed = tree.remove(Self.key(old))
                        #expect(removed == old)
                        model.removeAll { $0.id == id }
                    }
                    model.insert(term, at: model.firstIndex { Self.isBefore(term, $0) } ?? model.count)
                    tree.put(term, at: Self.key(term), Self.stamps.next())
                }
            }
            let none = tree.remove(Self.key(Entry(id: "none", text: "", uses: 3)))
            #expect(none == nil)
            versions.append((ItemList(tree), model))
        }
        for (list, model) in versions { #expect(Array(list).isStored(like: model)) }
        for (old, new) in zip(versions, versions.dropFirst()) + [
            (versions[0], versions[12]), (versions[9], versions[2]),
        ] {
            let difference = new.list.difference(from: old.list)
            #expect(old.model.applying(difference).isStored(like: new.model))
            #expect((new.list == old.list) == new.model.isStored(like: old.model))
            // The difference has no more elements than the difference of the two sets of stored items.
            let (before, after) = (Set(old.model.map(StoredTerm.init)), Set(new.model.map(StoredTerm.init)))
            #expect(difference.removals.count == before.subtracting(after).count)
            #expect(difference.insertions.count == after.subtracting(before).count)
        }
    }

    @Test("R17 The nodes keep to their sizes through any insertions and removals", arguments: 0..<2)
    func shape(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let terms = Self.terms(64 * 70, &random)
        var tree = Self.tree(terms)
        func remove(_ terms: some Collection<Entry>) {
            for term in terms {
                let removed = tree.remove(Self.key(term))
                #expect(removed == term)
            }
        }
        // Removes all items of a node whose neighbours are full, so that it cannot merge with them.
        remove(terms[128..<192])
        expectShape(tree.root, isRoot: true)
        #expect(tree.count == 64 * 69)
        for term in terms[128..<192] { tree.put(term, at: Self.key(term), Self.stamps.next()) }
        expectShape(tree.root, isRoot: true)
        #expect(Array(ItemList(tree)) == terms)
        let shuffled = terms.shuffled(using: &random)
        remove(shuffled.dropFirst(200))
        expectShape(tree.root, isRoot: true)
        #expect(Self.leaves(tree.root).count < 30)
        for term in shuffled.dropFirst(200) { tree.put(term, at: Self.key(term), Self.stamps.next()) }
        expectShape(tree.root, isRoot: true)
        remove(shuffled)
        #expect(tree.count == 0 && tree.root.height == 0)
        expectShape(tree.root, isRoot: true)
    }

    private func expectShape(_ node: ItemNode, isRoot: Bool) {
        let items = (node as? ItemLeaf<Entry>)?.items.count ?? 0
        let size = node.height == 0 ? items : node.children.count
        #expect(isRoot || size > 0)
        #expect(size <= ItemNode.capacity && node.keys.count == size)
        #expect(node.stamps.count == items)
        #expect(node.count == items + node.children.reduce(0) { $0 + $1.count })
        for child in node.children { expectShape(child, isRoot: false) }
    }

    @Test("Changing a few of 100,000 items copies only their nodes, and only those are compared")
    func sharing() {
        var random = SeededGenerator(seed: 7)
        let terms = Self.terms(100_000, &random)
        let before = ItemList(Self.tree(terms))
        var tree = before.tree
        for number in stride(from: 0, to: 100_000, by: 9_973) {
            var term = terms[number]
            term.text = "changed"
            tree.put(term, at: Self.key(term), Self.stamps.next())
        }
        let common = Set(Self.leaves(before.tree.root).map(ObjectIdentifier.init))
        let own = Self.leaves(tree.root).filter { !common.contains(ObjectIdentifier($0)) }
        #expect(own.count == 11)
        #expect(ItemList(tree).difference(from: before).count == 22)
    }

    private static func leaves(_ node: ItemNode) -> [ItemNode] {
        node.height == 0 ? [node] : node.children.flatMap(leaves)
    }

    @Test("A difference shows where an item moved, even between two Unicode forms of an id")
    func moves() throws {
        let forms = ["\u{E9}", "e\u{301}"].map { Entry(id: $0, text: "", uses: 1) }
        let sorted = forms.sorted(by: Self.isBefore)
        var tree = Self.tree(sorted)
        let before = ItemList(tree)
        let removed = tree.remove(Self.key(sorted[0]))
        #expect(removed != nil)
        let moved = Entry(id: sorted[0].id, text: "", uses: 0)
        tree.put(moved, at: Self.key(moved), Self.stamps.next())
        let difference = ItemList(tree).difference(from: before)
        guard case .remove(0, let old, 1) = difference.first else { throw Unexpected() }
        #expect(old.id.isStored(like: sorted[0].id))
        #expect(sorted.applying(difference).isStored(like: [sorted[1], moved]))
    }

    @Test("Lists that are not versions of one another are compared by their items")
    func unknownTables() {
        var random = SeededGenerator(seed: 3)
        let (one, other) = (Self.terms(70, &random), Self.terms(70, &random))
        let (left, right) = (ItemList(Self.tree(one)), ItemList(Self.tree(other)))
        #expect(left != right)
        #expect(one.applying(right.difference(from: left)).isStored(like: other))
        #expect(left == ItemList(Self.tree(one)))
    }

    @Test("Lists whose rows do not determine their order have a minimal difference", arguments: 0..<20)
    func unordered(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let old = Self.terms(40, &random).shuffled(using: &random)
        var new = old
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            let term = new.remove(at: Int.random(in: 0..<new.count, using: &random))
            if Bool.random(using: &random) { new.insert(term, at: Int.random(in: 0...new.count, using: &random)) }
        }
        let difference = ItemList(new).difference(from: ItemList(old))
        #expect(old.applying(difference).isStored(like: new))
        #expect(difference.count == new.difference(from: old).count)
    }
}

private struct Unexpected: Error {}

/// Stamps above those of trees that are built in one pass.
private final class Stamps: Sendable {
    private let last = Lock<UInt32>(1_000_000)

    func next() -> UInt32 {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

/// A term that equals another one if the store holds the same values for both.
private struct StoredTerm: Hashable {
    let id: ExactText
    let text: ExactText
    let uses: Int

    init(_ term: Entry) { (id, text, uses) = (ExactText(term.id), ExactText(term.text), term.uses) }
}
