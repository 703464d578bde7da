/// The known least values of a group, or its known greatest values.
///
/// The first value is the extreme: the group's minimum or maximum. If more values are known, the row with the extreme
/// can be removed without a read. A value occurs once for each row that is known to hold the value.
struct Extremes: Sendable {
    /// The maximum number of values that one read from the store returns.
    static var few: Int { 32 }
    private static var most: Int { 64 }

    private let isLeast: Bool
    /// The known values in order, the extreme first.
    private var values: [SQLValue]
    /// Whether `values` contains the value of every row; if not, further rows may have values at or beyond the last
    /// one.
    private var isComplete: Bool

    /// Creates the extremes from values in order, the extreme first.
    init(isLeast: Bool, _ values: [SQLValue], isComplete: Bool) {
        (self.isLeast, self.values, self.isComplete) = (isLeast, values, isComplete)
    }

    /// Creates the extremes from a minimum or maximum that the store computed, which is NULL if there are no values.
    init(isLeast: Bool, one extreme: SQLValue, isOnly: Bool) {
        self.init(isLeast: isLeast, extreme == .null ? [] : [extreme], isComplete: isOnly || extreme == .null)
    }

    /// The minimum or maximum; NULL if no row has a value, `nil` if unknown because all known values were removed.
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

    /// Removes the value of a row; returns `false` if the known values show that the value was never added.
    mutating func remove(_ value: SQLValue) -> Bool {
        let index = index(after: value)
        if index > 0, values[index - 1].order(value) == 0 {
            values.remove(at: index - 1)
            return true
        }
        // A value that was added, and is not known, comes after all known values.
        return !isComplete && index == values.count
    }

    /// Returns the index after the values that come before `value` or are equal to it.
    private func index(after value: SQLValue) -> Int {
        values.partitioningIndex { isLeast ? $0.order(value) > 0 : $0.order(value) < 0 }
    }
}
