/// Values of a row: its group key, or its values for the inputs of aggregates; a single value needs no array.
enum GroupValues: Hashable, Sendable {
    case one(SQLValue)
    case several([SQLValue])

    /// Creates values; an empty slice becomes a single NULL.
    init(_ values: ArraySlice<SQLValue>) {
        self = values.count > 1 ? .several(Array(values)) : .one(values.first ?? .null)
    }

    /// Creates the values that `value` returns for the elements of `terms`.
    fileprivate init<Term>(
        of terms: [Term], _ value: (Term) throws(RowFault) -> SQLValue
    ) throws(RowFault) {
        self = terms.count == 1 ? .one(try value(terms[0])) : GroupValues(try terms.map(value)[...])
    }

    fileprivate subscript(index: Int) -> SQLValue {
        switch self {
        case .one(let value): value
        case .several(let values): values[index]
        }
    }

    /// Returns the values of a key; `count`, the number of key columns, distinguishes an empty key from a single NULL.
    func values(_ count: Int) -> [SQLValue] {
        switch self {
        case .one(let value): count == 0 ? [] : [value]
        case .several(let values): values
        }
    }

    func precedes(_ other: GroupValues) -> Bool {
        switch (self, other) {
        case (.several(let values), .several(let others)):
            for (left, right) in zip(values, others) {
                let order = left.order(right)
                if order != 0 { return order < 0 }
            }
            return false
        default: return self[0].order(other[0]) < 0
        }
    }
}

/// A row's group key, and its value for each input of an aggregate; NULL if the row does not count for that input.
struct GroupPart: Sendable, Equatable {
    let key: GroupValues
    let inputs: GroupValues
}

extension GroupPart {
    /// Reads the values of the keys, and then of the inputs, from a row of a statement.
    init(_ row: any StoreStatement, _ keys: Int, _ inputs: [GroupInput]) throws(RepositoryError) {
        var index = keys - 1
        func next() throws(RepositoryError) -> SQLValue {
            index += 1
            return try row.value(at: index)
        }
        let values = try inputs.map { input throws(RepositoryError) in
            let value = input.argument == nil ? .integer(1) : try next()
            if input.test != nil, try next() != .integer(1) { return SQLValue.null }
            guard input.canAdd(value) else {
                // The store's own sum of integers fails for such a value, too.
                throw .decoding(entity: "result", column: "expression", detail: "not a number of the right type")
            }
            return value
        }
        let key = try (0..<keys).map { index throws(RepositoryError) in try row.value(at: index) }
        self.init(key: GroupValues(key[...]), inputs: GroupValues(values[...]))
    }
}

/// The terms of a plan, ready to be evaluated for rows of one table layout.
struct GroupRows {
    private struct Input {
        let argument: RowTerm?
        let test: RowTest?
        let input: GroupInput

        func value(_ row: [SQLValue]) throws(RowFault) -> SQLValue {
            // The store may skip the test or the term. Evaluating both throws a fault whenever the store might fail.
            let counts = try test?.passes(row) ?? true
            let value = try argument?.value(row) ?? .integer(1)
            guard input.canAdd(value) else { throw RowFault() }
            return counts ? value : .null
        }
    }

    private let test: RowTest?
    private let keys: [RowTerm]
    private let inputs: [Input]

    /// Returns `nil` if a term of the plan cannot be evaluated for rows of this layout.
    init?(_ plan: GroupPlan, _ layout: TableLayout) {
        let rowColumns = RowColumns(layout)
        test = plan.test?.rowTest(rowColumns)
        let inputs = plan.inputs.mapAll { input -> Input? in
            let (argument, test) = (input.argument?.rowTerm(rowColumns), input.test?.rowTest(rowColumns))
            if (argument == nil) != (input.argument == nil) || (test == nil) != (input.test == nil) { return nil }
            return Input(argument: argument, test: test, input: input)
        }
        guard let keys = plan.keys.mapAll({ $0.rowTerm(rowColumns) }), let inputs, (test == nil) == (plan.test == nil)
        else { return nil }
        (self.keys, self.inputs) = (keys, inputs)
    }

    /// Returns the group key and the inputs of a row; `nil` if `row` is `nil`, or if the condition rejects the row.
    func part(of row: [SQLValue]?) throws(RowFault) -> GroupPart? {
        guard let row else { return nil }
        if let test, try !test.passes(row) { return nil }
        return GroupPart(
            key: try GroupValues(of: keys) { key throws(RowFault) in try key.value(row) },
            inputs: try GroupValues(of: inputs) { input throws(RowFault) in try input.value(row) })
    }
}

/// The running aggregates of a group.
struct GroupState: Sendable {
    /// The number of rows; `nil` if the plan does not count rows.
    private(set) var rows: Int?
    /// The state of the first input; unused if the plan has no inputs.
    private var first: AggregateState
    private var rest: [AggregateState]

    init(rows: Int?, _ states: [AggregateState]) {
        (self.rows, first, rest) = (rows, states.first ?? AggregateState(), Array(states.dropFirst()))
    }

    /// Whether all minima and maxima that aggregates need are known.
    var isKnown: Bool { first.isKnown && rest.allSatisfy(\.isKnown) }

    /// Replaces the inputs of a row; returns `false` if the state shows that the row was never added.
    mutating func replace(_ old: GroupValues, by new: GroupValues) -> Bool {
        if rows == 0 { return false }
        // Skips unchanged values, because removing and adding a value could make the minimum or maximum unknown.
        if old[0] != new[0] {
            guard first.remove(old[0]) else { return false }
            first.add(new[0])
        }
        for index in rest.indices where old[index + 1] != new[index + 1] {
            guard rest[index].remove(old[index + 1]) else { return false }
            rest[index].add(new[index + 1])
        }
        return true
    }

    mutating func add(_ inputs: GroupValues) {
        if let known = rows { rows = known + 1 }
        first.add(inputs[0])
        for index in rest.indices { rest[index].add(inputs[index + 1]) }
    }

    /// Removes a row; returns `false` if the state shows that the row was never added.
    mutating func remove(_ inputs: GroupValues) -> Bool {
        if let known = rows {
            if known == 0 { return false }
            rows = known - 1
        }
        guard first.remove(inputs[0]) else { return false }
        for index in rest.indices where !rest[index].remove(inputs[index + 1]) { return false }
        return true
    }

    /// Replaces the unknown minima and maxima by values that `read` returns.
    mutating func refill(_ read: (_ input: Int, _ isLeast: Bool) throws -> Extremes) rethrows {
        try first.refill { try read(0, $0) }
        for index in rest.indices { try rest[index].refill { try read(index + 1, $0) } }
    }

    /// The number of distinct values that are counted.
    var distinctCount: Int { rest.reduce(first.occurrences?.count ?? 0) { $0 + ($1.occurrences?.count ?? 0) } }

    mutating func set(_ occurrences: [SQLValue: Int], of input: Int) {
        if input == 0 { first.occurrences = occurrences } else { rest[input - 1].occurrences = occurrences }
    }

    func results(_ measures: [GroupMeasure]) throws(RowFault) -> [SQLValue] {
        try measures.map { measure throws(RowFault) in
            guard let input = measure.input else { return .integer(Int64(rows ?? 0)) }
            return try (input == 0 ? first : rest[input - 1]).result(measure.operation)
        }
    }
}
