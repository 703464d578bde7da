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

    /// The exact sum of the values as floating-point numbers; `nil` if no aggregate needs it.
    private var total: ExactSum?
    /// The number of rows with each value, to count distinct values; `nil` if no aggregate counts distinct values.
    var occurrences: [SQLValue: Int]?

    /// Creates the state of a group without rows, with the aggregates that the functions need.
    init(_ functions: [Operation] = [.count], isDistinct: Bool = false) {
        (isCounted, count, sum) = (functions.contains(.count), 0, 0)
        if functions.contains(.totalState) { total = ExactSum() }
        if isDistinct { occurrences = [:] }
        if functions.contains(.minimum) { least = Extremes(isLeast: true, [], isComplete: true) }
        if functions.contains(.maximum) { greatest = Extremes(isLeast: false, [], isComplete: true) }
    }

    /// Sets the value that the store computed for a function; the count must be set first, because extremes use it.
    mutating func set(_ function: Operation, _ value: SQLValue) throws(RowFault) {
        switch (function, value) {
        case (.count, .integer(let number)): count = Int(number)
        case (.exactSum, .null): break
        case (.exactSum, _):
            guard let number = value.exactSum else { throw RowFault() }
            sum = number
        case (.totalState, .blob(let bytes)): total = ExactSum(Array(bytes))
        case (.minimum, _): least = Extremes(isLeast: true, one: value, isOnly: count == 1)
        case (.maximum, _): greatest = Extremes(isLeast: false, one: value, isOnly: count == 1)
        default: throw RowFault()
        }
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

    /// Replaces the minimum and the maximum by values that `read` returns, if they are unknown.
    mutating func refill(_ read: (_ isLeast: Bool) throws -> Extremes) rethrows {
        if least != nil, least?.extreme == nil { least = try read(true) }
        if greatest != nil, greatest?.extreme == nil { greatest = try read(false) }
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
            // Only the store can distinguish a sum that is too large from stored infinities.
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
