/// The least values of a group, or its greatest, as many as are known.
///
/// With more than one of them, the row that holds the extreme can be removed without a read. A value occurs once for
/// each row that is known to hold it.
struct Extremes: Sendable {
    /// The number of values that a refill reads.
    static var few: Int { 32 }
    private static var most: Int { 64 }

    private let isLeast: Bool
    /// The extreme first.
    private var values: [SQLValue]
    /// Whether `values` contains the value of every row; otherwise, more rows may hold values equal to the last one or
    /// beyond it.
    private var isComplete: Bool

    /// Values in order, the extreme first.
    init(isLeast: Bool, _ values: [SQLValue], isComplete: Bool) {
        (self.isLeast, self.values, self.isComplete) = (isLeast, values, isComplete)
    }

    /// One extreme as the store returns it, which is NULL if there are no values.
    init(isLeast: Bool, one extreme: SQLValue, isOnly: Bool) {
        self.init(isLeast: isLeast, extreme == .null ? [] : [extreme], isComplete: isOnly || extreme == .null)
    }

    /// The extreme; NULL if no row has a value, `nil` if it is no longer known.
    var extreme: SQLValue? { values.first ?? (isComplete ? .null : nil) }

    mutating func add(_ value: SQLValue) {
        let index = index(after: value)
        if index == values.count && !isComplete {
            guard let last = values.last, last.order(value) == 0 else { return }
        }
        values.insert(value, at: index)
        guard values.count > Self.most else { return }
        values.removeSubrange(Self.few...)
        isComplete = false
    }

    /// Removes the value of a row; returns `false` if it cannot have been added.
    mutating func remove(_ value: SQLValue) -> Bool {
        let index = index(after: value)
        if index > 0, values[index - 1].order(value) == 0 {
            values.remove(at: index - 1)
            return true
        }
        // Otherwise, it must be beyond the known values.
        return !isComplete && index == values.count
    }

    /// The index after the values that come before a value or are equal to it.
    private func index(after value: SQLValue) -> Int {
        values.partitioningIndex { isLeast ? $0.order(value) > 0 : $0.order(value) < 0 }
    }
}
