/// The items to remove from a list and to insert, each with its offset, to turn the list into another list.
struct ListDifference<Item: Entity> {
    var removals: [(item: Item, offset: Int)] = []
    var insertions: [(item: Item, offset: Int)] = []

    var collectionDifference: CollectionDifference<Item> {
        var indexes: [SQLValue: Int] = [:]
        for (index, removal) in removals.enumerated() {
            if let id = storedID(removal.item) { indexes[id] = index }
        }
        var targets = [Int?](repeating: nil, count: removals.count)
        var changes: [CollectionDifference<Item>.Change] = []
        for (item, offset) in insertions {
            let index = storedID(item).flatMap { indexes.removeValue(forKey: $0) }
            if let index { targets[index] = offset }
            changes.append(
                .insert(offset: offset, element: item, associatedWith: index.map { removals[$0].offset }))
        }
        for (removal, target) in zip(removals, targets) {
            changes.append(.remove(offset: removal.offset, element: removal.item, associatedWith: target))
        }
        guard let difference = CollectionDifference(changes) else {
            preconditionFailure("The changes between two lists are not a valid difference.")
        }
        return difference
    }

    private func storedID(_ item: Item) -> SQLValue? {
        try? Item.schema.key.identity(of: item.id)
    }
}

extension ListDifference {
    /// Finds the changes between two arrays of items, without using list keys.
    ///
    /// The common prefix and suffix remain, as does the longest common subsequence between them (Fredman, "On computing
    /// the length of longest increasing subsequences", 1975).
    /// - Complexity: O(*n* log *n*).
    init(from old: [Item], to new: [Item], _ isSame: (Item, Item) -> Bool) {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, isSame(old[start], new[start]) { start += 1 }
        var end = 0
        while end < shorter - start, isSame(old[old.count - 1 - end], new[new.count - 1 - end]) { end += 1 }
        let (oldRange, newRange) = (start..<old.count - end, start..<new.count - end)
        var pairs: [(old: Int, new: Int)] = []
        var offsets: [Item.ID: Int] = [:]
        for offset in oldRange { offsets[old[offset].id] = offset }
        for offset in newRange {
            if let source = offsets[new[offset].id], isSame(old[source], new[offset]) { pairs.append((source, offset)) }
        }
        var (oldOffset, newOffset) = (start, start)
        for next in Self.longestIncreasing(pairs) + [(oldRange.upperBound, newRange.upperBound)] {
            for offset in oldOffset..<next.old { removals.append((old[offset], offset)) }
            for offset in newOffset..<next.new { insertions.append((new[offset], offset)) }
            (oldOffset, newOffset) = (next.old + 1, next.new + 1)
        }
    }

    /// Returns the longest subsequence of `pairs` in which old offsets increase; `pairs` are in the order of new
    /// offsets.
    private static func longestIncreasing(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        // `ends`: for each length, the index of the pair with the least old offset that ends a sequence of that length.
        // `before`: for each pair, the index of the pair before it in its sequence.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            let length = ends.partitioningIndex { pairs[$0].old >= pair.old }
            before[index] = length > 0 ? ends[length - 1] : nil
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        var (kept, last): ([(old: Int, new: Int)], Int?) = ([], ends.last)
        while let index = last {
            kept.append(pairs[index])
            last = before[index]
        }
        return kept.reversed()
    }
}
