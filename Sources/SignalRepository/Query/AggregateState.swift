/// What is known of the values of a group: enough to make each function of, and to take rows in and out.
struct AggregateState: Sendable {
    /// How many rows there are.
    private(set) var rows = 0
    /// How many of them have a value.
    private(set) var count = 0
    /// The exact sum of the values that are integers, as they are stored.
    private(set) var sum: Int128 = 0
    /// The least and the greatest value, NULL where there is none; `nil` when it would have to be looked for.
    private(set) var minimum: SQLValue? = .null
    private(set) var maximum: SQLValue? = .null

    init() {}

    init(rows: Int, count: Int, sum: Int128, minimum: SQLValue?, maximum: SQLValue?) {
        (self.rows, self.count, self.sum) = (rows, count, sum)
        (self.minimum, self.maximum) = (minimum, maximum)
    }

    /// Takes a row in, by the value of its column.
    mutating func add(_ value: SQLValue) {
        rows += 1
        if value == .null { return }
        if case .integer(let number) = value { sum += Int128(number) }
        if let minimum, count == 0 || value.precedes(minimum) { self.minimum = value }
        if let maximum, count == 0 || maximum.precedes(value) { self.maximum = value }
        count += 1
    }

    /// Takes a row out; false when it cannot have been in.
    mutating func remove(_ value: SQLValue) -> Bool {
        guard rows > 0 else { return false }
        rows -= 1
        if value == .null { return true }
        guard count > 0 else { return false }
        count -= 1
        if case .integer(let number) = value { sum -= Int128(number) }
        if count == 0 {
            (minimum, maximum) = (.null, .null)
            return true
        }
        // Another row may hold the same value, or none.
        if let minimum, !minimum.precedes(value) { self.minimum = nil }
        if let maximum, !value.precedes(maximum) { self.maximum = nil }
        return true
    }
}
