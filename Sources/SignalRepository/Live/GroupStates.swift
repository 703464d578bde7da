/// The values that tell a group from others.
///
/// Most groups have one, or none; for those there is no array.
struct GroupKey: Sendable {
    private let first: SQLValue
    private let rest: [SQLValue]

    init(_ values: ArraySlice<SQLValue>) {
        (first, rest) = (values.first ?? .null, Array(values.dropFirst()))
    }

    fileprivate init(_ terms: [RowTerm], _ row: [SQLValue]) throws(RowFault) {
        first = try terms.first?.value(row) ?? .null
        rest = terms.count < 2 ? [] : try terms.dropFirst().map { term throws(RowFault) in try term.value(row) }
    }

    /// The values; without any, `count` is 0.
    func values(_ count: Int) -> [SQLValue] { count == 0 ? [] : [first] + rest }

    /// Whether the group comes before another one.
    func precedes(_ other: GroupKey) -> Bool {
        let order = first.order(other.first)
        if order != 0 || rest.isEmpty { return order < 0 }
        for (left, right) in zip(rest, other.rest) {
            let order = left.order(right)
            if order != 0 { return order < 0 }
        }
        return false
    }
}

extension GroupKey: Hashable {
    static func == (left: GroupKey, right: GroupKey) -> Bool { left.first == right.first && left.rest == right.rest }

    func hash(into hasher: inout Hasher) {
        hasher.combine(first)
        if !rest.isEmpty { hasher.combine(rest) }
    }
}

/// What a row adds to its group: the values of which something is computed, NULL where the row does not count.
struct GroupPart: Equatable {
    let key: GroupKey
    fileprivate let first: SQLValue
    fileprivate let rest: [SQLValue]
}

/// What a grouped statement takes of the rows of a table.
struct GroupRows {
    private struct Values {
        let argument: RowTerm?
        let test: RowTest?
        let areAdded: Bool

        func value(_ row: [SQLValue]) throws(RowFault) -> SQLValue {
            // The store computes neither where the other tells it enough, or both: here both are.
            let counts = try test?.passes(row) ?? true
            let value = try argument?.value(row) ?? .integer(1)
            if areAdded {
                switch value {
                case .null, .integer: break
                case .real, .text, .blob: throw RowFault()
                }
            }
            return counts ? value : .null
        }
    }

    private let test: RowTest?
    private let keys: [RowTerm]
    private let values: [Values]

    /// `nil` when rows of the table do not tell all that is needed.
    init?(_ plan: GroupPlan, _ layout: TableLayout) {
        let places = RowPlaces(byCharacters: layout.findsCharacters) { layout.index(of: $0) }
        test = plan.test?.rowTest(places)
        keys = plan.keys.compactMap { $0.rowTerm(places) }
        values = plan.values.compactMap { values in
            let (argument, test) = (values.argument?.rowTerm(places), values.test?.rowTest(places))
            guard (argument == nil) == (values.argument == nil), (test == nil) == (values.test == nil) else {
                return nil
            }
            return Values(argument: argument, test: test, areAdded: values.areAdded)
        }
        guard keys.count == plan.keys.count, values.count == plan.values.count, (test == nil) == (plan.test == nil)
        else { return nil }
    }

    /// What a row adds to its group; `nil` when it does not pass, or there is none.
    func part(of row: [SQLValue]?) throws(RowFault) -> GroupPart? {
        guard let row else { return nil }
        if let test, try !test.passes(row) { return nil }
        return GroupPart(
            key: try GroupKey(keys, row), first: try values.first?.value(row) ?? .null,
            rest: values.count < 2
                ? [] : try values.dropFirst().map { values throws(RowFault) in try values.value(row) })
    }
}

/// What is known of the rows of a group.
struct GroupState: Sendable {
    /// How many there are; `nil` where nothing needs it.
    private(set) var rows: Int?
    /// Most groups have one; without any, it is that of no values.
    private var first: AggregateState
    private var rest: [AggregateState]

    init(rows: Int?, _ states: [AggregateState]) {
        (self.rows, first, rest) = (rows, states.first ?? AggregateState(), Array(states.dropFirst()))
    }

    /// Whether all that is asked for is known.
    var isKnown: Bool { first.isKnown && rest.allSatisfy(\.isKnown) }

    /// Takes a row in.
    mutating func add(_ part: GroupPart) {
        if let known = rows { rows = known + 1 }
        first.add(part.first)
        for index in rest.indices { rest[index].add(part.rest[index]) }
    }

    /// Takes a row out; false when it cannot have been in.
    mutating func remove(_ part: GroupPart) -> Bool {
        if let known = rows {
            if known == 0 { return false }
            rows = known - 1
        }
        guard first.remove(part.first) else { return false }
        for index in rest.indices where !rest[index].remove(part.rest[index]) { return false }
        return true
    }

    /// Replaces the extremes that are not known any more.
    mutating func refill(_ read: (_ values: Int, _ isLeast: Bool) throws -> Extremes) rethrows {
        try Self.refill(&first) { isLeast in try read(0, isLeast) }
        for index in rest.indices { try Self.refill(&rest[index]) { isLeast in try read(index + 1, isLeast) } }
    }

    private static func refill(
        _ state: inout AggregateState, _ read: (_ isLeast: Bool) throws -> Extremes
    ) rethrows {
        if let least = state.least, least.extreme == nil { state.least = try read(true) }
        if let greatest = state.greatest, greatest.extreme == nil { state.greatest = try read(false) }
    }

    /// What is computed of the group.
    func results(_ measures: [GroupMeasure]) throws(RowFault) -> [SQLValue] {
        try measures.map { measure throws(RowFault) in
            guard let values = measure.values else { return .integer(Int64(rows ?? 0)) }
            return try (values == 0 ? first : rest[values - 1]).result(measure.operation)
        }
    }
}
