/// A group's key values; an array is needed only for more than one.
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

    /// The values; `count` tells no key from one that is NULL.
    func values(_ count: Int) -> [SQLValue] { count == 0 ? [] : [first] + rest }

    /// Whether the group comes before another one.
    func precedes(_ other: GroupKey) -> Bool {
        let order = first.order(other.first)
        if order != 0 { return order < 0 }
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

/// A row's value for each input of its group; NULL where the row does not count.
struct GroupPart: Equatable {
    let key: GroupKey
    fileprivate let first: SQLValue
    fileprivate let rest: [SQLValue]
}

/// Evaluates a plan for the rows of one layout.
struct GroupRows {
    private struct Input {
        let argument: RowTerm?
        let test: RowTest?
        let needsSum: Bool

        func value(_ row: [SQLValue]) throws(RowFault) -> SQLValue {
            // The store may skip either; evaluating both faults wherever it could fail.
            let counts = try test?.passes(row) ?? true
            let value = try argument?.value(row) ?? .integer(1)
            if needsSum {
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
    private let inputs: [Input]

    /// Returns `nil` if rows of this layout cannot compute the plan's terms.
    init?(_ plan: GroupPlan, _ layout: TableLayout) {
        let places = RowPlaces(byCharacters: layout.findsCharacters) { layout.index(of: $0) }
        test = plan.test?.rowTest(places)
        keys = plan.keys.compactMap { $0.rowTerm(places) }
        inputs = plan.inputs.compactMap { input in
            let (argument, test) = (input.argument?.rowTerm(places), input.test?.rowTest(places))
            guard (argument == nil) == (input.argument == nil), (test == nil) == (input.test == nil) else {
                return nil
            }
            return Input(argument: argument, test: test, needsSum: input.needsSum)
        }
        guard keys.count == plan.keys.count, inputs.count == plan.inputs.count, (test == nil) == (plan.test == nil)
        else { return nil }
    }

    /// What a row adds to its group; `nil` without a row, or if the condition rejects it.
    func part(of row: [SQLValue]?) throws(RowFault) -> GroupPart? {
        guard let row else { return nil }
        if let test, try !test.passes(row) { return nil }
        return GroupPart(
            key: try GroupKey(keys, row), first: try inputs.first?.value(row) ?? .null,
            rest: inputs.count < 2
                ? [] : try inputs.dropFirst().map { input throws(RowFault) in try input.value(row) })
    }
}

/// The running aggregates of a group.
struct GroupState: Sendable {
    /// The number of rows; `nil` if nothing needs it.
    private(set) var rows: Int?
    /// The state of the first input; unused without inputs.
    private var first: AggregateState
    private var rest: [AggregateState]

    init(rows: Int?, _ states: [AggregateState]) {
        (self.rows, first, rest) = (rows, states.first ?? AggregateState(), Array(states.dropFirst()))
    }

    /// Whether the extremes that are needed are known.
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
    mutating func refill(_ read: (_ input: Int, _ isLeast: Bool) throws -> Extremes) rethrows {
        try Self.refill(&first) { isLeast in try read(0, isLeast) }
        for index in rest.indices { try Self.refill(&rest[index]) { isLeast in try read(index + 1, isLeast) } }
    }

    private static func refill(
        _ state: inout AggregateState, _ read: (_ isLeast: Bool) throws -> Extremes
    ) rethrows {
        if let least = state.least, least.extreme == nil { state.least = try read(true) }
        if let greatest = state.greatest, greatest.extreme == nil { state.greatest = try read(false) }
    }

    /// The aggregates.
    func results(_ measures: [GroupMeasure]) throws(RowFault) -> [SQLValue] {
        try measures.map { measure throws(RowFault) in
            guard let input = measure.input else { return .integer(Int64(rows ?? 0)) }
            return try (input == 0 ? first : rest[input - 1]).result(measure.operation)
        }
    }
}
