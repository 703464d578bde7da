extension RandomAccessCollection where Index == Int {
    /// Returns the index of the first element that meets a condition, or `endIndex` if there is none.
    ///
    /// All elements after the first match must also meet the condition.
    ///
    /// - Complexity: O(log *n*).
    @inline(__always)
    func partitioningIndex(where isMet: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isMet(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Sequence {
    /// Returns the results of `make` for all elements; `nil` if one of the results is `nil`.
    func mapAll<Made>(_ make: (Element) throws -> Made?) rethrows -> [Made]? {
        var all: [Made] = []
        for element in self {
            guard let made = try make(element) else { return nil }
            all.append(made)
        }
        return all
    }
}
