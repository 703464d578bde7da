/// The running count, sum, minimum and maximum of one input of an aggregate, in one group.
struct AggregateState: Sendable {
    /// Whether `count` is maintained; `false` if no aggregate needs the count.
    private let isCounted: Bool
    private(set) var count: Int
    /// The exact sum of the stored values that are integers.
    private(set) var sum: Int128
    /// The known lowest values; `nil` if no aggregate needs a minimum.
    var least: Extremes?
    /// The known highest values; `nil` if no aggregate needs a maximum.
    var greatest: Extremes?

    /// The exact sum of the values as floating-point numbers; `nil` if nothing needs it.
    private var total: ExactSum?
    /// The number of rows with each value, to count distinct values; `nil` if nothing needs them.
    var occurrences: [SQLValue: Int]?

    init(
        hasLeast: Bool = false, hasGreatest: Bool = false, isCounted: Bool = true, isDistinct: Bool = false,
        hasTotal: Bool = false
    ) {
        (self.isCounted, count, sum) = (isCounted, 0, 0)
        if hasTotal { total = ExactSum() }
        if isDistinct { occurrences = [:] }
        if hasLeast { least = Extremes(isLeast: true, [], isComplete: true) }
        if hasGreatest { greatest = Extremes(isLeast: false, [], isComplete: true) }
    }

    /// Creates a state from values that the store computed: the count, the sum, the minimum and the maximum.
    init(
        count: Int?, sum: Int128, least: SQLValue?, greatest: SQLValue?, isDistinct: Bool = false,
        total: ExactSum? = nil
    ) {
        (isCounted, self.count, self.sum, self.total) = (count != nil, count ?? 0, sum, total)
        if isDistinct { occurrences = [:] }
        self.least = least.map { Extremes(isLeast: true, one: $0, isOnly: count == 1) }
        self.greatest = greatest.map { Extremes(isLeast: false, one: $0, isOnly: count == 1) }
    }

    /// Whether the minimum and the maximum are known or not needed.
    var isKnown: Bool { (least.map { $0.extreme != nil } ?? true) && (greatest.map { $0.extreme != nil } ?? true) }

    /// Adds a value, unless it is NULL.
    mutating func add(_ value: SQLValue) {
        if value == .null { return }
        count += 1
        switch value {
        case .integer(let number):
            sum += Int128(number)
            total?.add(Double(number))
        case .real(let number): total?.add(number)
        default: break
        }
        least?.add(value)
        greatest?.add(value)
        occurrences?[value, default: 0] += 1
    }

    /// Removes a value; returns `false` if the state shows that the value was never added.
    mutating func remove(_ value: SQLValue) -> Bool {
        if value == .null { return true }
        guard count > 0 || !isCounted else { return false }
        count -= 1
        switch value {
        case .integer(let number):
            sum -= Int128(number)
            total?.subtract(Double(number))
        case .real(let number): total?.subtract(number)
        default: break
        }
        if let others = occurrences?[value].map({ $0 - 1 }) {
            occurrences?[value] = others == 0 ? nil : others
        } else if occurrences != nil {
            return false
        }
        let isLeastRight = least?.remove(value) ?? true
        let isGreatestRight = greatest?.remove(value) ?? true
        return isLeastRight && isGreatestRight
    }

    /// Returns the result of an aggregate function; an empty sum is 0, because every caller treats NULL as 0.
    func result(_ operation: Operation) throws(RowFault) -> SQLValue {
        switch operation {
        case .count: return .integer(Int64(occurrences?.count ?? count))
        case .sum:
            guard let sum = Int64(exactly: sum) else { throw RowFault() }
            return .integer(sum)
        case .exactSum: return SQLValue(exactSum: sum)
        case .total, .mean:
            // The store distinguishes a sum that is too large from stored infinities.
            guard let total = total?.rounded, total.isFinite else { throw RowFault() }
            return operation == .total ? .real(total) : count == 0 ? .null : .real(total / Double(count))
        case .average: return count == 0 ? .null : .real(Double(sum) / Double(count))
        case .minimum, .maximum:
            guard let extreme = (operation == .minimum ? least : greatest)?.extreme else { throw RowFault() }
            return extreme
        default: throw RowFault()
        }
    }
}
