/// What is known of some values of a group: enough to take values in and out, and to make functions of them.
struct AggregateState: Sendable {
    /// Whether it is known how many values there are, as it is unless nothing needs it.
    private let isCounted: Bool
    /// How many values there are.
    private(set) var count: Int
    /// The exact sum of the values that are integers, as they are stored.
    private(set) var sum: Int128
    /// The least values; `nil` when they are not asked for, and the greatest likewise.
    var least: Extremes?
    var greatest: Extremes?

    /// The state of no values.
    init(hasLeast: Bool = false, hasGreatest: Bool = false, isCounted: Bool = true) {
        (self.isCounted, count, sum) = (isCounted, 0, 0)
        if hasLeast { least = Extremes(isLeast: true, [], isWhole: true) }
        if hasGreatest { greatest = Extremes(isLeast: false, [], isWhole: true) }
    }

    /// The state of values of which the store says how many there are, their sum, and one extreme each.
    init(count: Int?, sum: Int128, least: SQLValue?, greatest: SQLValue?) {
        (isCounted, self.count, self.sum) = (count != nil, count ?? 0, sum)
        let isWhole = self.count < 2
        self.least = least.map { Extremes(isLeast: true, $0 == .null ? [] : [$0], isWhole: isWhole) }
        self.greatest = greatest.map { Extremes(isLeast: false, $0 == .null ? [] : [$0], isWhole: isWhole) }
    }

    /// Whether it is known what the extremes are, where they are asked for.
    var isKnown: Bool { (least.map { $0.extreme != nil } ?? true) && (greatest.map { $0.extreme != nil } ?? true) }

    /// Takes a value in; NULL is none.
    mutating func add(_ value: SQLValue) {
        if value == .null { return }
        count += 1
        if case .integer(let number) = value { sum += Int128(number) }
        least?.add(value)
        greatest?.add(value)
    }

    /// Takes a value out; false when it cannot have been in.
    mutating func remove(_ value: SQLValue) -> Bool {
        if value == .null { return true }
        guard count > 0 || !isCounted else { return false }
        count -= 1
        if case .integer(let number) = value { sum -= Int128(number) }
        let isLeastRight = least?.remove(value) ?? true
        let isGreatestRight = greatest?.remove(value) ?? true
        return isLeastRight && isGreatestRight
    }

    /// What a function comes to, as a statement would give it: the sum of nothing is zero, whatever the statement says.
    func result(_ operation: Operation) throws(RowFault) -> SQLValue {
        switch operation {
        case .count: return .integer(Int64(count))
        case .sum:
            guard let sum = Int64(exactly: sum) else { throw RowFault() }
            return .integer(sum)
        case .exactSum: return Int64(exactly: sum).map { .integer($0) } ?? .text("\(sum)")
        case .average: return count == 0 ? .null : .real(Double(sum) / Double(count))
        case .minimum, .maximum:
            guard let extreme = (operation == .minimum ? least : greatest)?.extreme else { throw RowFault() }
            return extreme
        default: throw RowFault()
        }
    }
}
