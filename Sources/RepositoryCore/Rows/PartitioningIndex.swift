extension RandomAccessCollection where Index == Int {
    /// The first index whose element meets a condition that all later elements also meet; `endIndex` if there is none.
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
