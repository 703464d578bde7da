/// What is known of the values of a group: enough to make each function of, and to take rows in and out.
struct AggregateState: Sendable {
    /// Whether rows are counted, as they are but for the sum of everything.
    private let isCounted: Bool
    /// How many rows there are, where they are counted.
    private(set) var rows = 0
    /// How many of them have a value.
    private(set) var count = 0
    /// The exact sum of the values that are integers, as they are stored.
    private(set) var sum: Int128 = 0
    /// The least values; `nil` when they are not asked for, and the greatest likewise.
    var least: Extremes?
    var greatest: Extremes?

    /// The state of no rows.
    init(hasLeast: Bool, hasGreatest: Bool, isCounted: Bool = true) {
        self.isCounted = isCounted
        if hasLeast { least = Extremes(isLeast: true, [], isWhole: true) }
        if hasGreatest { greatest = Extremes(isLeast: false, [], isWhole: true) }
    }

    /// The state in a row of terms, of which one extreme each is known.
    init(_ row: AggregateRow, _ terms: [AggregateTerm]) throws(RepositoryError) {
        isCounted = terms.contains(.rows)
        rows = isCounted ? try row.integer(.rows) : 0
        // Where values are not counted, each row has one.
        count = terms.contains(.count) ? try row.integer(.count) : rows
        sum = terms.contains(.sum) ? try row.integerSum() : 0
        let (count, least, greatest) = (count, row.stored(.minimum), row.stored(.maximum))
        self.least = least.map { Extremes(isLeast: true, count > 0 ? [$0] : [], isWhole: count < 2) }
        self.greatest = greatest.map { Extremes(isLeast: false, count > 0 ? [$0] : [], isWhole: count < 2) }
    }

    /// Whether it is known what the extremes are, where they are asked for.
    var isKnown: Bool { (least.map { $0.extreme != nil } ?? true) && (greatest.map { $0.extreme != nil } ?? true) }

    /// Takes a row in, by the value of its column.
    mutating func add(_ value: SQLValue) {
        rows += 1
        if value == .null { return }
        if case .integer(let number) = value { sum += Int128(number) }
        least?.add(value)
        greatest?.add(value)
        count += 1
    }

    /// Takes a row out; false when it cannot have been in.
    mutating func remove(_ value: SQLValue) -> Bool {
        guard rows > 0 || !isCounted else { return false }
        rows -= 1
        if value == .null { return true }
        guard count > 0 || !isCounted else { return false }
        count -= 1
        if case .integer(let number) = value { sum -= Int128(number) }
        let isLeastRight = least?.remove(value) ?? true
        let isGreatestRight = greatest?.remove(value) ?? true
        return isLeastRight && isGreatestRight
    }

    /// The values of terms, as a statement would give them.
    func values(of terms: [AggregateTerm]) -> [SQLValue] {
        terms.flatMap { term -> [SQLValue] in
            switch term {
            case .rows: [.integer(Int64(rows))]
            case .count: [.integer(Int64(count))]
            case .sum where count == 0 && isCounted: [.null, .null]
            case .sum: [.integer(Int64(truncatingIfNeeded: sum >> 32)), .integer(Int64(sum & 0xFFFF_FFFF))]
            case .minimum: [least?.extreme ?? .null]
            case .maximum: [greatest?.extreme ?? .null]
            }
        }
    }
}
