/// A plan for computing a grouped statement in memory, from the rows of its table or from rows that are read by key.
struct GroupPlan: Sendable {
    let test: StoredTest?
    let keys: [StoredTerm]
    let measures: [GroupMeasure]
    let inputs: [GroupInput]
    /// For each input, the state of a group without rows.
    private let emptyStates: [AggregateState]
    /// The query for the keys and inputs of each row; `nil` if the changed rows of the table determine them.
    let keyed: KeyedQuery<GroupPart>?
    /// The output columns, as terms over a row that consists of a group's keys and its measures (aggregates).
    private let outputs: [RowTerm]
    private let having: RowTest?
    /// The sort keys; the group keys, which follow them in the statement, are omitted.
    private let sortKeys: [RowTerm]
    let order: ListOrder
    private let offset: Int
    private let limit: Int?
    /// A statement with the same tables and condition, but without outputs, groups, order or limit.
    private let source: SelectStatement
    /// The statement that selects the keys and inputs of each row; see `part(_:)`.
    private let rows: SelectStatement
    /// Whether `sql` reads rows, from which the groups are computed in memory, instead of the states of groups.
    let readsRows: Bool

    /// Returns `nil` if the result depends on more than the rows of known tables.
    init?(_ statement: SelectStatement, _ rules: StoreRules) {
        let statement = statement.groupedByOutputs
        let count = statement.groups.count
        guard !statement.isReversed, statement.groupOutputs == count, Self.showsKeys(statement) else { return nil }
        var terms = GroupTerms { column in
            statement.groups.firstIndex { statement.isSame(column, as: $0.column) }.map { $0 - count }
        }
        let rowColumns = RowColumns(byCharacters: rules.isSQLite) { column in Int(column.name).map { count + $0 } }
        let order = statement.order.dropLast(count)
        guard let outputs = statement.outputs.dropFirst(count).mapAll({ terms.term($0.term)?.rowTerm(rowColumns) }),
            let sortKeys = order.mapAll({ terms.term($0.term.sortKey.term)?.rowTerm(rowColumns) }),
            let having = [statement.having].compactMap(\.self).mapAll({ terms.test($0)?.rowTest(rowColumns) })
        else { return nil }
        self.outputs = (0..<count).map { RowTerm.column($0) } + outputs
        (self.sortKeys, self.having) = (sortKeys, having.first)
        self.order = ListOrder(
            isDescending: order.map(\.isDescending), operations: order.map(\.term.sortKey.operation))
        (test, keys) = (statement.test, statement.groups)
        (measures, inputs) = (terms.measures, terms.inputs)
        emptyStates = inputs.map { AggregateState($0.functions, isDistinct: $0.isDistinct) }
        // Without keys and aggregates, all outputs are constants, and there is nothing to maintain.
        if keys.isEmpty && measures.isEmpty { return nil }
        (offset, limit) = (statement.offset ?? 0, statement.limit)
        var source = statement
        (source.outputs, source.groups, source.having, source.order, source.isInRowOrder) = ([], [], nil, [], false)
        (source.groupOutputs, source.limit, source.offset) = (nil, nil, nil)
        self.source = source
        let arguments = inputs.compactMap(\.argument) + keys
        guard arguments.allSatisfy({ rules.isExact($0, in: source) }) else { return nil }
        var rows = source
        rows.outputs = Self.outputs(
            keys + inputs.flatMap { [$0.argument, $0.test.map { .test($0) }].compactMap(\.self) } + [.constant(.null)])
        self.rows = rows
        if source.isInMemory(arguments, and: inputs.compactMap(\.test), rules) {
            keyed = nil
            // PostgreSQL has no function for the exact sum of floating-point numbers, so it is computed in memory.
            readsRows = !rules.isSQLite && inputs.contains { $0.functions.contains(.totalState) }
        } else {
            guard let links = try? rows.links(),
                let keyed = try? KeyedQuery(
                    rows, links, rules,
                    { [keys, inputs] row throws(RepositoryError) in try GroupPart(row, keys.count, inputs) })
            else { return nil }
            (self.keyed, readsRows) = (keyed, true)
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

    /// Whether the query visits the rows of all groups, although it may show only some of them.
    var visitsAll: Bool { limit == nil || keys.isEmpty || !sortKeys.isEmpty }
}

// The statements that read groups, and the output of groups.
extension GroupPlan {
    /// Whether each group counts its rows.
    ///
    /// A count is needed to find empty groups, for the aggregate that counts rows, and if there is no other output.
    /// Otherwise it is omitted, because it costs as much as a sum.
    private var countsRows: Bool {
        !keys.isEmpty || measures.contains { $0.input == nil } || inputs.allSatisfy(\.isDistinct)
    }

    var empty: GroupState { GroupState(rows: countsRows ? 0 : nil, emptyStates) }

    var countsDistinct: Bool { inputs.contains(where: \.isDistinct) }

    /// The estimated memory of a group with its key, in bytes, without its distinct values.
    var groupBytes: Int {
        let states = inputs.flatMap(\.functions).reduce(0) { bytes, function in
            bytes + (function == .totalState ? 568 : function == .minimum || function == .maximum ? 32 * 24 : 0)
        }
        return states + 400 + inputs.count * MemoryLayout<AggregateState>.stride + keys.count * 2 * 24
    }

    /// The estimated memory of a `GroupPart` with its key, in bytes.
    var partBytes: Int { KeyedChanges.rowBytes + (keys.count + inputs.count) * 24 }

    /// The statement that reads the state of each group (see `group(_:)`) or, if `readsRows`, the keys and inputs of
    /// each row.
    var sql: QuerySQL {
        if readsRows {
            return QuerySQL { [rows] dialect throws(RepositoryError) in try dialect.select(rows) }
        }
        var statement = source
        statement.groups = keys
        let count = countsRows ? [StoredTerm.operation(.count, [])] : []
        statement.outputs = Self.outputs(keys + count + inputs.flatMap(\.parts))
        return QuerySQL { [statement] dialect throws(RepositoryError) in try dialect.select(statement) }
    }

    private static func outputs(_ terms: [StoredTerm]) -> [TermValue] {
        terms.map { TermValue($0, isOptional: true, .null) }
    }

    func part(_ row: any StoreStatement) throws(RepositoryError) -> GroupPart {
        try GroupPart(row, keys.count, inputs)
    }

    /// Decodes a row of `sql` into a group's key and state.
    func group(_ row: [SQLValue]) throws(RowFault) -> (GroupValues, GroupState) {
        var index = keys.count
        func next() -> SQLValue {
            defer { index += 1 }
            return row[index]
        }
        var rows: Int?
        if countsRows {
            guard case .integer(let number) = next() else { throw RowFault() }
            rows = Int(number)
        }
        var states = emptyStates
        for input in inputs.indices {
            for function in inputs[input].functions { try states[input].set(function, next()) }
        }
        return (GroupValues(row.prefix(keys.count)), GroupState(rows: rows, states))
    }

    /// Returns the statement that selects each group's keys, each value of an input, and the number of rows with both.
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
            // The new column is not optional. For an optional one, the order would contain NULLS FIRST or NULLS LAST,
            // which can keep PostgreSQL from using an index; `isNotNull` excludes NULL anyway.
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

    /// Returns the output row of a group, which `read` makes from its values; `nil` if `having` rejects the group.
    func shown<Output>(
        _ group: [SQLValue], _ read: ([SQLValue]) throws(RepositoryError) -> Output
    ) throws(RowFault) -> GroupRow? {
        if let having, try !having.passes(group) { return nil }
        let values = try outputs.map { output throws(RowFault) in try output.value(group) }
        return GroupRow(
            order: ListKey(try sortKeys.map { key throws(RowFault) in try key.value(group) }, .null), values: values,
            row: ReadRow(Result { () throws(RepositoryError) in try read(values) }))
    }

    /// Returns the result: the rows of groups in their order, from the offset up to the limit.
    ///
    /// `order` is the plan's order with the store's comparisons.
    func rows(of groups: [GroupRow?], in order: ListOrder) -> ArraySlice<GroupRow> {
        let isByKey =
            if keys.count == 1, sortKeys.count == 1, case .column(0) = sortKeys[0] { order.operations == [nil] } else {
                sortKeys.isEmpty
            }
        if !isByKey, let count = limit.map({ offset &+ $0 }), 1...Self.few ~= count {
            return Self.first(count, of: groups, in: order).dropFirst(offset)
        }
        var rows: [GroupRow] = []
        rows.reserveCapacity(groups.count)
        // Uses a loop, because `compactMap` is not specialized here.
        for group in groups { if let group { rows.append(group) } }
        if !isByKey {
            // The sort is stable, so rows with equal sort keys stay in the order of their group keys.
            rows.sort { order.order($0.order, $1.order) < 0 }
        } else if order.isDescending.first == true {
            // `groups` is in ascending order of the keys.
            rows.reverse()
        }
        return rows.dropFirst(offset).prefix(limit ?? .max)
    }

    /// The maximum number of first rows that are found without sorting all rows.
    private static var few: Int { 64 }

    /// Returns the first `count` rows in an order.
    ///
    /// - Complexity: O(*n*) in the number of groups.
    private static func first(_ count: Int, of groups: [GroupRow?], in order: ListOrder) -> [GroupRow] {
        var (first, last): ([GroupRow], ListKey?) = ([], nil)
        for index in groups.indices {
            // Copies only the key, because most rows are not among the first `count` rows.
            guard let key = groups[index]?.order else { continue }
            if first.count == count, let last, order.order(key, last) >= 0 { continue }
            guard let row = groups[index] else { continue }
            if first.count == count { first.removeLast() }
            first.insert(row, at: first.partitioningIndex { order.order(key, $0.order) < 0 })
            last = first.last?.order
        }
        return first
    }
}

/// An output row, which belongs to one group.
///
/// The type is not generic, so that it is compiled once for all outputs.
struct GroupRow {
    fileprivate let order: ListKey
    let values: [SQLValue]
    /// The `ReadRow` that was read from the values.
    let row: AnyObject
}

final class ReadRow<Output> {
    /// The output or, if the values cannot be decoded, the error; the query fails only if its result shows the row.
    let row: Result<Output, RepositoryError>

    init(_ row: Result<Output, RepositoryError>) { self.row = row }
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
    /// The functions of this input that the statement must select, in the order of `allFunctions`.
    private(set) var functions: [Operation] = []
    /// Whether only the number of distinct values is needed.
    let isDistinct: Bool

    private static let allFunctions: [Operation] = [.count, .exactSum, .totalState, .minimum, .maximum]

    fileprivate init(_ argument: StoredTerm?, _ test: StoredTest?) {
        isDistinct = if case .distinct = argument { true } else { false }
        self.argument = if case .distinct(let value) = argument { value } else { argument }
        self.test = test
    }

    /// The terms with which the statement selects `functions`.
    fileprivate var parts: [StoredTerm] {
        let arguments = argument.map { [$0] } ?? []
        return functions.map { operation in
            test.map { .filtered(operation, arguments, $0) } ?? .operation(operation, arguments)
        }
    }

    /// Returns whether the input consists of all values of the given column.
    fileprivate func isAll(of other: StoredColumn) -> Bool {
        guard case .column(let column) = argument, test == nil, !isDistinct else { return false }
        return column.name == other.name && column.table == other.table
    }

    /// Whether a value can be an input: a sum adds numbers only.
    func canAdd(_ value: SQLValue) -> Bool {
        switch value {
        case .null, .integer: true
        case .real: !functions.contains(.exactSum)
        case .text, .blob: !functions.contains(.exactSum) && !functions.contains(.totalState)
        }
    }

    /// Adds the functions from whose results the result of an aggregate is computed.
    fileprivate mutating func note(_ operation: Operation) {
        if isDistinct { return }
        let added: [Operation] =
            switch operation {
            case .sum: [.exactSum]
            case .average: [.count, .exactSum]
            case .total: [.totalState]
            case .mean: [.count, .totalState]
            default: [operation]
            }
        functions = Self.allFunctions.filter { functions.contains($0) || added.contains($0) }
    }
}

/// A collector of the aggregates in terms and tests, in which it replaces each aggregate with a column; the column's
/// name is the index of the aggregate.
private struct GroupTerms {
    /// Returns the index of the key that is the given column, minus the number of keys; `nil` if no key is the column.
    let key: (StoredColumn) -> Int?
    private(set) var measures: [GroupMeasure] = []
    private(set) var inputs: [GroupInput] = []

    init(key: @escaping (StoredColumn) -> Int?) { self.key = key }

    mutating func term(_ term: StoredTerm) -> StoredTerm? { try? term.replacing { try replacement(of: $0) } }

    mutating func test(_ test: StoredTest) -> StoredTest? { try? test.replacing { try replacement(of: $0) } }

    /// Returns the column that replaces a part, or `nil` to keep the part; throws if a group has no value for the part.
    private mutating func replacement(of part: StoredPart) throws -> StoredPart? {
        switch part {
        case .term(.operation(let operation, let arguments)) where operation.isAggregate:
            return .term(try add(operation, arguments, nil))
        case .term(.filtered(let operation, let arguments, let test)):
            return .term(try add(operation, arguments, test))
        case .term(.column(let column)):
            guard let key = key(column) else { throw RowFault() }
            return .term(.column(StoredColumn("\(key)", of: nil)))
        case .term(.now), .term(.key), .term(.distinct), .term(.children), .term(.rowNumber), .term(.rank):
            throw RowFault()
        case .test, .term: return nil
        }
    }

    /// Adds an aggregate, and returns the column that replaces it; throws if the operation is not an aggregate.
    private mutating func add(
        _ operation: Operation, _ arguments: [StoredTerm], _ test: StoredTest?
    ) throws -> StoredTerm {
        guard operation.isAggregate, arguments.count < 2 else { throw RowFault() }
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
}

extension Operation {
    var isAggregate: Bool {
        switch self {
        case .count, .sum, .exactSum, .total, .average, .mean, .minimum, .maximum: true
        default: false
        }
    }
}
