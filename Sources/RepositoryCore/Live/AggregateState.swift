/// The running count, sum and extremes of some values of a group.
struct AggregateState: Sendable {
    /// Whether `count` is maintained; false if nothing needs it.
    private let isCounted: Bool
    private(set) var count: Int
    /// The exact sum of the values that are integers, as they are stored.
    private(set) var sum: Int128
    /// The lowest values, as many as are known; `nil` if nothing needs them.
    var least: Extremes?
    /// The highest values, likewise.
    var greatest: Extremes?

    init(hasLeast: Bool = false, hasGreatest: Bool = false, isCounted: Bool = true) {
        (self.isCounted, count, sum) = (isCounted, 0, 0)
        if hasLeast { least = Extremes(isLeast: true, [], isComplete: true) }
        if hasGreatest { greatest = Extremes(isLeast: false, [], isComplete: true) }
    }

    /// The state as the store reads it: count, sum and one value for each extreme.
    init(count: Int?, sum: Int128, least: SQLValue?, greatest: SQLValue?) {
        (isCounted, self.count, self.sum) = (count != nil, count ?? 0, sum)
        self.least = least.map { Extremes(isLeast: true, one: $0, isOnly: count == 1) }
        self.greatest = greatest.map { Extremes(isLeast: false, one: $0, isOnly: count == 1) }
    }

    /// Whether the extremes that are needed are known.
    var isKnown: Bool { (least.map { $0.extreme != nil } ?? true) && (greatest.map { $0.extreme != nil } ?? true) }

    /// Adds a value, unless it is NULL.
    mutating func add(_ value: SQLValue) {
        if value == .null { return }
        count += 1
        if case .integer(let number) = value { sum += Int128(number) }
        least?.add(value)
        greatest?.add(value)
    }

    /// Removes a value; returns `false` if it cannot have been added.
    mutating func remove(_ value: SQLValue) -> Bool {
        if value == .null { return true }
        guard count > 0 || !isCounted else { return false }
        count -= 1
        if case .integer(let number) = value { sum -= Int128(number) }
        let isLeastRight = least?.remove(value) ?? true
        let isGreatestRight = greatest?.remove(value) ?? true
        return isLeastRight && isGreatestRight
    }

    /// The result of a function; an empty sum is 0 rather than NULL, which every caller treats as 0.
    func result(_ operation: Operation) throws(RowFault) -> SQLValue {
        switch operation {
        case .count: return .integer(Int64(count))
        case .sum:
            guard let sum = Int64(exactly: sum) else { throw RowFault() }
            return .integer(sum)
        case .exactSum: return SQLValue(exactSum: sum)
        case .average: return count == 0 ? .null : .real(Double(sum) / Double(count))
        case .minimum, .maximum:
            guard let extreme = (operation == .minimum ? least : greatest)?.extreme else { throw RowFault() }
            return extreme
        default: throw RowFault()
        }
    }
}
