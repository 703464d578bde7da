/// The changes between two arrays of items whose order rows do not tell.
///
/// What both begin and end with stays; of the rest, the most items that are the same and in the same order (Fredman,
/// "On computing the length of longest increasing subsequences", 1975).
struct ListMatch<Item: Entity> {
    private let old: [Item]
    private let new: [Item]
    private let isSame: (Item, Item) -> Bool

    init(_ old: [Item], _ new: [Item], _ isSame: @escaping (Item, Item) -> Bool) {
        (self.old, self.new, self.isSame) = (old, new, isSame)
    }

    /// Tells the changes.
    ///
    /// - Complexity: O(*n* log *n*).
    func tell(_ tell: (ItemChange<Item>) -> Void) {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, isSame(old[start], new[start]) { start += 1 }
        var end = 0
        while end < shorter - start, isSame(old[old.count - 1 - end], new[new.count - 1 - end]) { end += 1 }
        var kept = kept(start..<old.count - end, start..<new.count - end)[...]
        var (oldPlace, newPlace) = (start, start)
        while oldPlace < old.count - end || newPlace < new.count - end {
            let next = kept.first ?? (old: old.count - end, new: new.count - end)
            while oldPlace < next.old {
                tell(.removed(old[oldPlace], at: oldPlace))
                oldPlace += 1
            }
            while newPlace < next.new {
                tell(.inserted(new[newPlace], at: newPlace))
                newPlace += 1
            }
            if kept.popFirst() != nil { (oldPlace, newPlace) = (oldPlace + 1, newPlace + 1) }
        }
    }

    /// The places of items that stay.
    private func kept(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> [(old: Int, new: Int)] {
        var places: [Item.ID: Int] = [:]
        for place in oldRange { places[old[place].id] = place }
        let pairs = newRange.compactMap { place -> (old: Int, new: Int)? in
            guard let source = places[new[place].id], isSame(old[source], new[place]) else { return nil }
            return (source, place)
        }
        // Of each length, the pair with the least old place that ends a sequence of it, and the one before each pair.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].old < pair.old { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var (kept, last): ([(old: Int, new: Int)], Int?) = ([], ends.last)
        while let index = last {
            kept.append(pairs[index])
            last = before[index]
        }
        return kept.reversed()
    }
}
