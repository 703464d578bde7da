/// A plan for computing a grouped statement in memory, from the rows of its table or from rows that are read by key.
struct GroupPlan: Sendable {
    let table: String
    let test: StoredTest?
    let keys: [StoredTerm]
    let measures: [GroupMeasure]
    let inputs: [GroupInput]
    /// The query for the keys and inputs of each row; `nil` if the changed rows of the table determine them.
    let keyed: KeyedQuery<GroupPart>?
    /// The output columns, as terms over a row that consists of a group's keys and its measures.
    private let outputs: [RowTerm]
    private let having: RowTest?
    /// The sort keys; the group keys, which follow them in the statement, are omitted.
    private let order: [(term: RowTerm, isDescending: Bool)]
    private let offset: Int
    private let limit: Int?
    /// A statement with the same tables and condition, but without outputs, groups, order or limit.
    private let source: SelectStatement

    /// Returns `nil` if the result depends on more than the rows of known tables.
    ///
    /// `byCharacters` is whether the store computes with texts, dates and numbers as Swift does, not as a server does.
    init?(_ statement: SelectStatement, byCharacters: Bool) {
        let statement = statement.groupedByOutputs
        let count = statement.groups.count
        guard let table = statement.tables.first, !statement.isReversed, statement.groupOutputs == count,
            Self.showsKeys(statement)
        else { return nil }
        var terms = GroupTerms { column in
            statement.groups.firstIndex { statement.isSame(column, as: $0.column) }.map { $0 - count }
        }
        let outputs = statement.outputs.dropFirst(count).compactMap { terms.term($0.term) }
        let own = statement.order.dropLast(count)
        let order = own.compactMap { key in terms.term(key.term).map { (term: $0, isDescending: key.isDescending) } }
        let having = statement.having.flatMap { terms.test($0) }
        guard outputs.count == statement.outputs.count - count, order.count == own.count,
            (having == nil) == (statement.having == nil)
        else { return nil }
        let rowColumns = RowColumns(byCharacters: byCharacters) { column in Int(column.name).map { count + $0 } }
        self.outputs = (0..<count).map { RowTerm.column($0) } + outputs.compactMap { $0.rowTerm(rowColumns) }
        self.order = order.compactMap { key in key.term.rowTerm(rowColumns).map { ($0, key.isDescending) } }
        self.having = having?.rowTest(rowColumns)
        guard self.outputs.count == statement.outputs.count, self.order.count == own.count,
            (self.having == nil) == (having == nil)
        else { return nil }
        (self.table, test, keys) = (table.name, statement.test, statement.groups)
        (measures, inputs) = (terms.measures, terms.inputs)
        // The order in which a server adds floating-point numbers is unknown.
        if !byCharacters, inputs.contains(where: \.needsTotal) { return nil }
        // A statement of constants, without keys and aggregates, aggregates nothing.
        if keys.isEmpty && measures.isEmpty { return nil }
        (offset, limit) = (statement.offset ?? 0, statement.limit)
        var source = statement
        (source.outputs, source.groups, source.having, source.order, source.isInRowOrder) = ([], [], nil, [], false)
        (source.groupOutputs, source.limit, source.offset) = (nil, nil, nil)
        self.source = source
        if Self.isInMemory(statement, terms.inputs, byCharacters) {
            keyed = nil
        } else {
            guard let keyed = Self.keyed(source, keys, terms.inputs) else { return nil }
            self.keyed = keyed
        }
    }

    /// Returns whether the rows of a statement's only table determine its keys and inputs.
    private static func isInMemory(
        _ statement: SelectStatement, _ inputs: [GroupInput], _ byCharacters: Bool
    ) -> Bool {
        guard statement.tables.count == 1, statement.tables.allSatisfy(\.found.isEmpty) else { return false }
        let anywhere = RowColumns(byCharacters: byCharacters)
        let tests = inputs.compactMap(\.test) + (statement.test.map { [$0] } ?? [])
        let terms = inputs.compactMap(\.argument) + statement.groups
        return tests.allSatisfy { $0.rowTest(anywhere) != nil } && terms.allSatisfy { $0.rowTerm(anywhere) != nil }
    }

    private static func keyed(
        _ source: SelectStatement, _ keys: [StoredTerm], _ inputs: [GroupInput]
    ) -> KeyedQuery<GroupPart>? {
        var statement = source
        let terms =
            keys
            + inputs.flatMap { input in
                (input.argument.map { [$0] } ?? []) + (input.test.map { [.test($0)] } ?? [])
            }
        statement.outputs = outputs(terms.isEmpty ? [.constant(.null)] : terms)
        guard let links = try? statement.links() else { return nil }
        return try? KeyedQuery(statement, links) { row throws(RepositoryError) in
            var index = 0
            func next() throws(RepositoryError) -> SQLValue {
                defer { index += 1 }
                return try row.value(at: index)
            }
            let key = try keys.map { _ throws(RepositoryError) in try next() }
            let values = try inputs.map { input throws(RepositoryError) in
                let value = try input.argument.map { _ throws(RepositoryError) in try next() } ?? .integer(1)
                // The store's own sum fails with the reason.
                if input.needsSum, ![.integer, .null].contains(value.storageClass) {
                    throw .decoding(entity: "result", column: "expression", detail: "not a whole number")
                }
                guard input.test != nil else { return value }
                return try next() == .integer(1) ? value : .null
            }
            return GroupPart(key: GroupValues(key[...]), inputs: GroupValues(values[...]))
        }
    }

    /// Returns whether the first outputs of a statement are its group keys.
    private static func showsKeys(_ statement: SelectStatement) -> Bool {
        zip(statement.outputs, statement.groups).allSatisfy { output, key in
            switch (output.term, key) {
            case (.column(let left), .column(let right)): left.name == right.name
            case (.column, _), (_, .column): false
            // A computed key is always selected by the term that it is grouped by.
            default: true
            }
        }
    }

    /// Whether the result has a row for every group, or there is only one group.
    var showsAll: Bool { keys.isEmpty || having == nil && limit == nil && offset == 0 }
}

// The statements that read groups, and the output of groups.
extension GroupPlan {
    /// Whether to count the rows of each group, which costs as much as a sum; distinct values are read apart.
    private var countsRows: Bool {
        !keys.isEmpty || measures.contains { $0.input == nil } || inputs.allSatisfy(\.isDistinct)
    }

    var empty: GroupState {
        GroupState(
            rows: countsRows ? 0 : nil,
            inputs.map { input in
                AggregateState(
                    hasLeast: input.needsLeast, hasGreatest: input.needsGreatest, isCounted: input.needsCount,
                    isDistinct: input.isDistinct, hasTotal: input.needsTotal)
            })
    }

    /// The statement that reads the state of each group; see `group(_:)`.
    var sql: QuerySQL {
        var statement = source
        statement.groups = keys
        let count = countsRows ? [StoredTerm.operation(.count, [])] : []
        statement.outputs = Self.outputs(keys + count + inputs.flatMap(\.parts))
        return QuerySQL { [statement] dialect throws(RepositoryError) in try dialect.select(statement) }
    }

    private static func outputs(_ terms: [StoredTerm]) -> [TermValue] {
        terms.map { TermValue($0, isOptional: true, .null) }
    }

    /// Decodes a row of `sql` into a group's key and state.
    func group(_ row: [SQLValue]) throws(RowFault) -> (GroupValues, GroupState) {
        var index = keys.count
        func next() -> SQLValue {
            defer { index += 1 }
            return row[index]
        }
        let rows = countsRows ? try Self.number(next()) : nil
        let states = try inputs.map { input throws(RowFault) in
            let count = input.needsCount ? try Self.number(next()) : nil
            let sum = input.needsSum ? try Self.sum(next()) : 0
            let total = input.needsTotal ? try Self.total(next()) : nil
            return AggregateState(
                count: count, sum: sum, least: input.needsLeast ? next() : nil,
                greatest: input.needsGreatest ? next() : nil, isDistinct: input.isDistinct, total: total)
        }
        return (GroupValues(row.prefix(keys.count)), GroupState(rows: rows, states))
    }

    private static func number(_ value: SQLValue) throws(RowFault) -> Int {
        guard case .integer(let number) = value else { throw RowFault() }
        return Int(number)
    }

    private static func sum(_ value: SQLValue) throws(RowFault) -> Int128 {
        if value == .null { return 0 }
        guard let sum = value.exactSum else { throw RowFault() }
        return sum
    }

    private static func total(_ value: SQLValue) throws(RowFault) -> ExactSum {
        guard case .blob(let bytes) = value, let total = ExactSum(Array(bytes)) else { throw RowFault() }
        return total
    }

    /// Returns the statement that counts the rows of each group with each value of an input: keys, value and count.
    func occurrences(of input: Int) -> SelectStatement {
        var statement = source
        let argument = inputs[input].argument ?? .constant(.null)
        if let test = inputs[input].test { statement.narrow(to: test) }
        statement.groups = keys + [argument]
        statement.outputs = Self.outputs(keys + [argument, .operation(.count, [])])
        return statement
    }

    func extremes(of input: Int, in key: GroupValues, isLeast: Bool) -> SelectStatement {
        let input = inputs[input]
        var statement = source
        var argument = input.argument ?? .constant(.null)
        statement.outputs = Self.outputs([argument])
        var isNotNull = StoredTest.terms(.notSame, argument, .constant(.null))
        if case .column(let column) = argument {
            // Declared as not optional, because `isNotNull` excludes NULL, and NULLS FIRST would keep a server from
            // using an index.
            argument = .column(StoredColumn(column.name, of: column.table))
            isNotNull = .comparison(column, .notEqual, .null)
        }
        let isOfGroup = zip(keys, key.values(keys.count)).map { term, value -> StoredTest in
            if case .column(let column) = term { return .comparison(column, .equal, value) }
            return .terms(.same, term, .constant(value))
        }
        if let test = input.test { statement.narrow(to: test) }
        statement.narrow(to: .all([isNotNull] + isOfGroup))
        statement.order = [(argument, !isLeast)]
        statement.limit = Extremes.few
        return statement
    }

    /// Returns the output row of a group; `nil` if `having` rejects the group.
    func shown(_ group: [SQLValue]) throws(RowFault) -> GroupRow? {
        if let having, try !having.passes(group) { return nil }
        return GroupRow(
            order: try order.map { key throws(RowFault) in try key.term.value(group) },
            values: try outputs.map { output throws(RowFault) in try output.value(group) })
    }

    /// Returns the result: the rows of the groups that were not rejected, sorted, with the offset and the limit
    /// applied.
    func rows(of groups: [GroupRow?]) -> [[SQLValue]] {
        var shown = groups.compactMap(\.self)
        if keys.count == 1, order.count == 1, case .column(0) = order[0].term {
            // The groups are in the order of their only key.
            if order[0].isDescending { shown.reverse() }
        } else if !order.isEmpty {
            let sorted = shown.indices.sorted { left, right in
                for (index, key) in order.enumerated() {
                    let order = shown[left].order[index].order(shown[right].order[index])
                    if order != 0 { return key.isDescending ? order > 0 : order < 0 }
                }
                return left < right
            }
            shown = sorted.map { shown[$0] }
        }
        return shown.dropFirst(offset).prefix(limit ?? .max).map(\.values)
    }
}

struct GroupRow {
    fileprivate let order: [SQLValue]
    fileprivate let values: [SQLValue]
}

/// An aggregate: a function of an input, or the number of rows.
struct GroupMeasure: Sendable {
    let operation: Operation
    /// The index of the input; `nil` for the number of rows.
    let input: Int?
}

/// The input of an aggregate: the values of a term in the rows that pass a test.
struct GroupInput: Sendable {
    /// The term; `nil` to count the rows that pass the test.
    let argument: StoredTerm?
    let test: StoredTest?
    fileprivate(set) var needsCount = false
    fileprivate(set) var needsSum = false
    /// Whether the exact sum of floating-point numbers is needed.
    fileprivate(set) var needsTotal = false
    fileprivate(set) var needsLeast = false
    fileprivate(set) var needsGreatest = false
    /// Whether only the number of distinct values is needed.
    let isDistinct: Bool

    fileprivate init(_ argument: StoredTerm?, _ test: StoredTest?) {
        isDistinct = if case .distinct = argument { true } else { false }
        self.argument = if case .distinct(let value) = argument { value } else { argument }
        self.test = test
    }

    /// The aggregates of this input that the statement must select.
    fileprivate var parts: [StoredTerm] {
        var operations: [Operation] = needsCount ? [.count] : []
        if needsSum { operations.append(.exactSum) }
        if needsTotal { operations.append(.totalState) }
        if needsLeast { operations.append(.minimum) }
        if needsGreatest { operations.append(.maximum) }
        let arguments = argument.map { [$0] } ?? []
        return operations.map { operation in
            test.map { .filtered(operation, arguments, $0) } ?? .operation(operation, arguments)
        }
    }

    /// Returns whether the input consists of all values of the given column.
    fileprivate func isAll(of other: StoredColumn) -> Bool {
        guard case .column(let column) = argument, test == nil, !isDistinct else { return false }
        return column.name == other.name && column.table == other.table
    }

    fileprivate mutating func note(_ operation: Operation) {
        switch operation {
        case _ where isDistinct: break
        case .sum, .exactSum: needsSum = true
        case .total: needsTotal = true
        case .mean: (needsCount, needsTotal) = (true, true)
        case .average: (needsCount, needsSum) = (true, true)
        case .minimum: needsLeast = true
        case .maximum: needsGreatest = true
        default: needsCount = true
        }
    }
}

/// A collector of the aggregates in terms; it replaces each one with a column that is named after the aggregate's
/// index.
private struct GroupTerms {
    /// Returns the index of the group key that is the given column, minus the number of keys; `nil` for another column.
    let key: (StoredColumn) -> Int?
    private(set) var measures: [GroupMeasure] = []
    private(set) var inputs: [GroupInput] = []

    init(key: @escaping (StoredColumn) -> Int?) { self.key = key }

    mutating func term(_ term: StoredTerm) -> StoredTerm? {
        switch term {
        case .constant: return term
        case .operation(let operation, let arguments) where operation.isAggregate:
            return add(operation, arguments, nil)
        case .filtered(let operation, let arguments, let test): return add(operation, arguments, test)
        case .operation(let operation, let arguments):
            let terms = arguments.compactMap { self.term($0) }
            return terms.count == arguments.count ? .operation(operation, terms) : nil
        case .checked(let number): return self.term(number).map { .checked($0) }
        case .unlessNaN(let number): return self.term(number).map { .unlessNaN($0) }
        case .real(let number): return self.term(number).map { .real($0) }
        case .test(let test): return self.test(test).map { .test($0) }
        case .column(let column): return key(column).map { .column(StoredColumn("\($0)", of: nil)) }
        case .now, .distinct, .children, .rowNumber, .rank: return nil
        }
    }

    /// Adds an aggregate, and returns the column that replaces it; returns `nil` for any other function.
    private mutating func add(_ operation: Operation, _ arguments: [StoredTerm], _ test: StoredTest?) -> StoredTerm? {
        guard operation.isAggregate, arguments.count < 2 else { return nil }
        var input: Int?
        if operation != .count || !arguments.isEmpty || test != nil {
            let index = addInput(arguments.first, test)
            inputs[index].note(operation)
            input = index
        }
        measures.append(GroupMeasure(operation: operation, input: input))
        return .column(StoredColumn("\(measures.count - 1)", of: nil))
    }

    private mutating func addInput(_ argument: StoredTerm?, _ test: StoredTest?) -> Int {
        if test == nil, case .column(let column) = argument,
            let index = inputs.firstIndex(where: { $0.isAll(of: column) })
        {
            return index
        }
        inputs.append(GroupInput(argument, test))
        return inputs.count - 1
    }

    mutating func test(_ test: StoredTest) -> StoredTest? {
        switch test {
        case .constant: return test
        case .terms(let comparison, let left, let right):
            guard let left = term(left), let right = term(right) else { return nil }
            return .terms(comparison, left, right)
        case .truth(let truth): return term(truth).map { .truth($0) }
        case .all(let tests): return all(tests).map { .all($0) }
        case .any(let tests): return all(tests).map { .any($0) }
        case .not(let test): return self.test(test).map { .not($0) }
        case .comparison, .range, .membership, .rows, .search, .raw, .matches, .found, .decision: return nil
        }
    }

    private mutating func all(_ tests: [StoredTest]) -> [StoredTest]? {
        let found = tests.compactMap { test($0) }
        return found.count == tests.count ? found : nil
    }
}

extension Operation {
    var isAggregate: Bool {
        switch self {
        case .count, .sum, .exactSum, .total, .average, .mean, .minimum, .maximum: true
        default: false
        }
    }
}
