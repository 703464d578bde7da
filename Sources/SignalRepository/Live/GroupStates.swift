/// What a grouped statement takes of the rows of a table.
struct GroupRows {
    private let test: RowTest?
    private let keys: [RowTerm]
    private let arguments: [RowTerm?]
    private let tests: [RowTest?]

    /// `nil` when rows of the table do not tell all that is needed.
    init?(_ plan: GroupPlan, _ layout: TableLayout) {
        let places = RowPlaces(byCharacters: layout.findsCharacters) { layout.index(of: $0) }
        test = plan.test?.rowTest(places)
        keys = plan.keys.compactMap { $0.rowTerm(places) }
        arguments = plan.aggregates.map { $0.argument?.rowTerm(places) }
        tests = plan.aggregates.map { $0.test?.rowTest(places) }
        let areKnown = zip(plan.aggregates, zip(arguments, tests)).allSatisfy { aggregate, made in
            (aggregate.argument == nil) == (made.0 == nil) && (aggregate.test == nil) == (made.1 == nil)
        }
        guard areKnown, keys.count == plan.keys.count, (test == nil) == (plan.test == nil) else { return nil }
    }

    /// What a row adds to its group; `nil` when it does not pass, or there is none.
    func part(of row: [SQLValue]?) throws(RowFault) -> GroupPart? {
        guard let row else { return nil }
        if let test, try !test.passes(row) { return nil }
        var values: [SQLValue?] = []
        values.reserveCapacity(arguments.count)
        for (argument, test) in zip(arguments, tests) {
            // The store computes neither where the other tells it enough, or both: here both are.
            let isCounted = try test?.passes(row) ?? true
            let value = try argument?.value(row) ?? .integer(1)
            values.append(isCounted ? value : nil)
        }
        return GroupPart(key: try keys.map { key throws(RowFault) in try key.value(row) }, values: values)
    }
}

/// The key of a row's group, and what it adds to each aggregate; `nil` where it does not count.
struct GroupPart: Equatable {
    let key: [SQLValue]
    let values: [SQLValue?]
}

/// What is known of the rows of a group.
struct GroupState {
    private(set) var rows = 0
    private var values: [GroupValues]

    init(_ aggregates: [GroupAggregate]) {
        values = aggregates.map { GroupValues($0) }
    }

    mutating func add(_ part: GroupPart) throws(RowFault) {
        rows += 1
        for (index, value) in part.values.enumerated() {
            if let value { try values[index].add(value) }
        }
    }

    mutating func remove(_ part: GroupPart) throws(RowFault) {
        rows -= 1
        guard rows >= 0 else { throw RowFault() }
        for (index, value) in part.values.enumerated() {
            if let value { try values[index].remove(value) }
        }
    }

    /// What the aggregates come to.
    func aggregates() throws(RowFault) -> [SQLValue] {
        try values.map { value throws(RowFault) in try value.result() }
    }
}

/// What is known of the values of one aggregate.
private struct GroupValues {
    private let operation: Operation
    private let countsRows: Bool
    private var state: AggregateState
    /// The sum of the numbers without their signs: as long as it is small, no order of adding leaves what is exact.
    private var magnitudes: Int128 = 0

    init(_ aggregate: GroupAggregate) {
        operation = aggregate.operation
        countsRows = aggregate.argument == nil
        state = AggregateState(hasLeast: operation == .minimum, hasGreatest: operation == .maximum)
    }

    mutating func add(_ value: SQLValue) throws(RowFault) {
        state.add(value)
        magnitudes += try magnitude(value)
    }

    mutating func remove(_ value: SQLValue) throws(RowFault) {
        guard state.remove(value) else { throw RowFault() }
        magnitudes -= try magnitude(value)
    }

    /// Throws for a number with a fraction, whose sum depends on the order of adding.
    private func magnitude(_ value: SQLValue) throws(RowFault) -> Int128 {
        guard operation == .sum || operation == .average else { return 0 }
        switch value {
        case .null: return 0
        case .integer(let number): return Int128(number.magnitude)
        case .real, .text, .blob: throw RowFault()
        }
    }

    func result() throws(RowFault) -> SQLValue {
        switch operation {
        case .count: return .integer(Int64(countsRows ? state.rows : state.count))
        case .sum where state.count == 0, .average where state.count == 0: return .null
        case .sum:
            // SQLite fails where a part of the sum is too large.
            guard magnitudes <= Int128(Int64.max) else { throw RowFault() }
            return .integer(Int64(state.sum))
        case .average:
            guard magnitudes < 1 << 53 else { throw RowFault() }
            return .real(Double(Int64(state.sum)) / Double(state.count))
        case .minimum, .maximum:
            guard let extreme = (state.least ?? state.greatest)?.extreme else { throw RowFault() }
            return extreme
        default: throw RowFault()
        }
    }
}
