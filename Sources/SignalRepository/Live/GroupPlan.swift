/// How the groups of a statement are made of the rows of its table in memory.
struct GroupPlan: Sendable {
    let table: String
    let test: StoredTest?
    let keys: [StoredTerm]
    /// What is computed of each group.
    let measures: [GroupMeasure]
    /// The values of which it is computed.
    let values: [GroupValues]
    /// What a group is shown as, of its keys and then its measures.
    private let outputs: [RowTerm]
    private let having: RowTest?
    /// The order before that of the keys.
    private let order: [(term: RowTerm, isDescending: Bool)]
    private let offset: Int
    private let limit: Int?
    /// The statement, of which nothing is selected.
    private let rows: SelectStatement

    /// `nil` when the rows of the table do not tell what the statement comes to, in a store that computes of texts what
    /// Swift does, or in another one.
    init?(_ statement: SelectStatement, byCharacters: Bool) {
        guard let table = statement.tables.first, statement.tables.count == 1, table.found.isEmpty,
            statement.joins.isEmpty, !statement.isDistinct, !statement.isReversed,
            statement.groupOutputs == statement.groups.count, Self.showsKeys(statement)
        else { return nil }
        let anywhere = RowPlaces(byCharacters: byCharacters) { _ in 0 }
        var terms = GroupTerms(places: anywhere)
        let outputs = statement.outputs.dropFirst(statement.groups.count).compactMap { terms.term($0.term) }
        let own = statement.order.dropLast(statement.groups.count)
        let order = own.compactMap { key in terms.term(key.term).map { (term: $0, isDescending: key.isDescending) } }
        let having = statement.having.flatMap { terms.test($0) }
        guard outputs.count == statement.outputs.count - statement.groups.count, order.count == own.count,
            (having == nil) == (statement.having == nil), statement.test.map({ $0.rowTest(anywhere) != nil }) ?? true,
            statement.groups.allSatisfy({ $0.rowTerm(anywhere) != nil })
        else { return nil }
        let count = statement.groups.count
        let places = RowPlaces(byCharacters: byCharacters) { name in Int(name).map { count + $0 } }
        self.outputs = (0..<count).map { RowTerm.column($0) } + outputs.compactMap { $0.rowTerm(places) }
        self.order = order.compactMap { key in key.term.rowTerm(places).map { ($0, key.isDescending) } }
        self.having = having?.rowTest(places)
        guard self.outputs.count == statement.outputs.count, self.order.count == own.count,
            (self.having == nil) == (having == nil)
        else { return nil }
        (self.table, test, keys) = (table.name, statement.test, statement.groups)
        (measures, values) = (terms.measures, terms.values)
        (offset, limit) = (statement.offset ?? 0, statement.limit)
        var rows = statement
        (rows.outputs, rows.groups, rows.having, rows.order, rows.isInRowOrder) = ([], [], nil, [], false)
        (rows.limit, rows.offset) = (nil, nil)
        self.rows = rows
    }

    /// Whether the first outputs are the keys.
    private static func showsKeys(_ statement: SelectStatement) -> Bool {
        zip(statement.outputs, statement.groups).allSatisfy { output, key in
            switch (output.term, key) {
            case (.column(let left), .column(let right)): left.name == right.name
            case (.column, _), (_, .column): false
            // A key that is computed is a term, and shows as it is.
            default: true
            }
        }
    }

    /// Whether each group is shown, or there is only one.
    var showsAll: Bool { keys.isEmpty || having == nil && limit == nil && offset == 0 }
}

// What is read, and how it is shown.
extension GroupPlan {
    /// Whether it is counted how many rows a group has, which takes as long as to add their values up.
    private var countsRows: Bool {
        !keys.isEmpty || measures.contains { $0.values == nil } || values.contains { $0.areCounted && $0.areInEachRow }
    }

    /// The state of a group without rows.
    var empty: GroupState {
        GroupState(
            rows: countsRows ? 0 : nil,
            values.map { values in
                AggregateState(
                    hasLeast: values.hasLeast, hasGreatest: values.hasGreatest,
                    isCounted: values.areCounted || countsRows && values.areInEachRow)
            })
    }

    /// The statement that reads the state of each group; see `group(_:)`.
    var sql: QuerySQL {
        var statement = rows
        statement.groups = keys
        let count = countsRows ? [StoredTerm.operation(.count, [])] : []
        statement.outputs = Self.outputs(keys + count + values.flatMap(\.parts))
        return QuerySQL { [statement] dialect throws(RepositoryError) in try dialect.select(statement) }
    }

    private static func outputs(_ terms: [StoredTerm]) -> [TermValue] {
        terms.map { TermValue($0, isOptional: true, .null) }
    }

    /// A group of which the state was read.
    func group(_ row: [SQLValue]) throws(RowFault) -> (GroupKey, GroupState) {
        var index = keys.count
        func next() -> SQLValue {
            defer { index += 1 }
            return row[index]
        }
        let rows = countsRows ? try Self.number(next()) : nil
        let states = try values.map { values throws(RowFault) in
            var count = values.areInEachRow ? rows : nil
            if values.areCounted && !values.areInEachRow { count = try Self.number(next()) }
            return AggregateState(
                count: count, sum: values.areAdded ? try Self.sum(next()) : 0, least: values.hasLeast ? next() : nil,
                greatest: values.hasGreatest ? next() : nil)
        }
        return (GroupKey(row.prefix(keys.count)), GroupState(rows: rows, states))
    }

    private static func number(_ value: SQLValue) throws(RowFault) -> Int {
        guard case .integer(let number) = value else { throw RowFault() }
        return Int(number)
    }

    private static func sum(_ value: SQLValue) throws(RowFault) -> Int128 {
        switch value {
        case .null: return 0
        case .integer(let number): return Int128(number)
        case .text(let digits):
            guard let sum = Int128(digits) else { throw RowFault() }
            return sum
        case .real, .blob: throw RowFault()
        }
    }

    /// The statement that reads the first of the values of a group in their order.
    func extremes(of number: Int, in key: GroupKey, isLeast: Bool) -> SelectStatement {
        let values = values[number]
        var statement = rows
        var argument = values.argument ?? .constant(.null)
        statement.outputs = Self.outputs([argument])
        var isThere = StoredTest.terms(.notSame, argument, .constant(.null))
        if case .column(let column) = argument {
            // A server's index is not in the order in which NULL comes first, of which there is none.
            argument = .column(StoredColumn(column.name, of: column.table))
            isThere = .comparison(column, .notEqual, .null)
        }
        let isOfGroup = zip(keys, key.values(keys.count)).map { term, value -> StoredTest in
            if case .column(let column) = term { return .comparison(column, .equal, value) }
            return .terms(.same, term, .constant(value))
        }
        statement.test = .all([statement.test, values.test].compactMap(\.self) + [isThere] + isOfGroup)
        statement.order = [(argument, !isLeast)]
        statement.limit = Extremes.few
        return statement
    }

    /// How a group is shown; `nil` when it is not.
    func shown(_ group: [SQLValue]) throws(RowFault) -> GroupRow? {
        if let having, try !having.passes(group) { return nil }
        return GroupRow(
            order: try order.map { key throws(RowFault) in try key.term.value(group) },
            values: try outputs.map { output throws(RowFault) in try output.value(group) })
    }

    /// The rows of all groups that are shown, in their order.
    func rows(of groups: [GroupRow?]) -> [[SQLValue]] {
        var shown = groups.compactMap(\.self)
        if !order.isEmpty {
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

/// A group as it is shown.
struct GroupRow {
    fileprivate let order: [SQLValue]
    fileprivate let values: [SQLValue]
}

/// What is computed of a group: a function of some of its values, or how many rows it has.
struct GroupMeasure: Sendable {
    let operation: Operation
    /// Which values; `nil` for the number of rows.
    let values: Int?
}

/// Values of which something is computed: those of a term in the rows that pass a test.
struct GroupValues: Sendable {
    /// The term; `nil` where rows are counted.
    let argument: StoredTerm?
    let test: StoredTest?
    /// What has to be known of them.
    fileprivate(set) var areCounted = false
    fileprivate(set) var areAdded = false
    fileprivate(set) var hasLeast = false
    fileprivate(set) var hasGreatest = false

    fileprivate init(_ argument: StoredTerm?, _ test: StoredTest?) { (self.argument, self.test) = (argument, test) }

    /// Whether each row has one, so that there are as many as rows.
    var areInEachRow: Bool {
        if case .column(let column) = argument { test == nil && !column.isOptional } else { false }
    }

    /// What is read of them.
    fileprivate var parts: [StoredTerm] {
        var operations: [Operation] = areCounted && !areInEachRow ? [.count] : []
        if areAdded { operations.append(.exactSum) }
        if hasLeast { operations.append(.minimum) }
        if hasGreatest { operations.append(.maximum) }
        let arguments = argument.map { [$0] } ?? []
        return operations.map { operation in
            test.map { .filtered(operation, arguments, $0) } ?? .operation(operation, arguments)
        }
    }

    /// Whether these are the values of a column in every row.
    fileprivate func are(of other: StoredColumn) -> Bool {
        if case .column(let column) = argument { test == nil && column.name == other.name } else { false }
    }

    /// Notes what is computed of them.
    fileprivate mutating func note(_ operation: Operation) {
        switch operation {
        case .sum, .exactSum: areAdded = true
        case .average: (areCounted, areAdded) = (true, true)
        case .minimum: (areCounted, hasLeast) = (true, true)
        case .maximum: (areCounted, hasGreatest) = (true, true)
        default: areCounted = true
        }
    }
}

/// Finds the measures in terms, and puts columns in their places, whose names are their numbers.
private struct GroupTerms {
    /// Any, to learn whether rows in memory tell a term.
    let places: RowPlaces
    private(set) var measures: [GroupMeasure] = []
    private(set) var values: [GroupValues] = []

    init(places: RowPlaces) { self.places = places }

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
        case .column, .distinct, .children, .rowNumber, .rank: return nil
        }
    }

    /// Adds a measure; `nil` for one that depends on the order of the rows, and for what only the store can say.
    private mutating func add(_ operation: Operation, _ arguments: [StoredTerm], _ test: StoredTest?) -> StoredTerm? {
        let places = places
        guard arguments.count < 2, arguments.allSatisfy({ $0.rowTerm(places) != nil }),
            test.map({ $0.rowTest(places) != nil }) ?? true
        else { return nil }
        switch operation {
        case .count, .minimum, .maximum: break
        case .sum, .exactSum, .average: if arguments.first?.isReal != false { return nil }
        default: return nil
        }
        var number: Int?
        if operation != .count || !arguments.isEmpty || test != nil {
            let found = index(arguments.first, test)
            values[found].note(operation)
            number = found
        }
        measures.append(GroupMeasure(operation: operation, values: number))
        return .column(StoredColumn("\(measures.count - 1)", of: nil))
    }

    private mutating func index(_ argument: StoredTerm?, _ test: StoredTest?) -> Int {
        if test == nil, case .column(let column) = argument,
            let index = values.firstIndex(where: { $0.are(of: column) })
        {
            return index
        }
        values.append(GroupValues(argument, test))
        return values.count - 1
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
    /// Whether it is computed of many rows.
    fileprivate var isAggregate: Bool {
        switch self {
        case .count, .sum, .exactSum, .total, .average, .minimum, .maximum: true
        default: false
        }
    }
}
