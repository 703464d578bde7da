/// How the rows of a grouped statement are made of the rows of its table in memory.
struct GroupPlan: Sendable {
    let table: String
    let test: StoredTest?
    let keys: [StoredTerm]
    let aggregates: [GroupAggregate]
    /// What a group comes to, of its keys and then its aggregates.
    let outputs: [RowTerm]
    let having: RowTest?
    let order: [(term: RowTerm, isDescending: Bool)]
    let offset: Int
    let limit: Int?
    /// The statement that reads what is needed of each row: the keys, and of each aggregate its value and whether the
    /// row passes its test.
    let sql: QuerySQL

    /// `nil` when the rows of the table do not tell what the statement comes to.
    init?(_ statement: SelectStatement) {
        guard let table = statement.tables.first, statement.tables.count == 1, table.found.isEmpty,
            statement.joins.isEmpty, !statement.isDistinct, !statement.isReversed,
            statement.groupOutputs == statement.groups.count, Self.showsKeys(statement)
        else { return nil }
        var terms = GroupTerms()
        let outputs = statement.outputs.dropFirst(statement.groups.count).compactMap { terms.term($0.term) }
        let own = statement.order.dropLast(statement.groups.count)
        let order = own.compactMap { key in terms.term(key.term).map { (term: $0, isDescending: key.isDescending) } }
        let having = statement.having.flatMap { terms.test($0) }
        let anywhere = RowPlaces(byCharacters: true) { _ in 0 }
        guard outputs.count == statement.outputs.count - statement.groups.count, order.count == own.count,
            (having == nil) == (statement.having == nil), statement.test.map({ $0.rowTest(anywhere) != nil }) ?? true,
            statement.groups.allSatisfy({ $0.rowTerm(anywhere) != nil })
        else { return nil }
        let count = statement.groups.count
        let places = RowPlaces(byCharacters: true) { name in Int(name).map { count + $0 } }
        let keys = (0..<count).map { RowTerm.column($0) }
        self.outputs = keys + outputs.compactMap { $0.rowTerm(places) }
        self.order =
            order.compactMap { key in key.term.rowTerm(places).map { ($0, key.isDescending) } }
            + keys.map { ($0, false) }
        self.having = having?.rowTest(places)
        guard self.outputs.count == statement.outputs.count, self.order.count == statement.order.count,
            (self.having == nil) == (having == nil)
        else { return nil }
        (self.table, test, self.keys, aggregates) = (table.name, statement.test, statement.groups, terms.aggregates)
        (offset, limit) = (statement.offset ?? 0, statement.limit)
        sql = Self.sql(statement, terms.aggregates)
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

    private static func sql(_ statement: SelectStatement, _ aggregates: [GroupAggregate]) -> QuerySQL {
        var rows = statement
        rows.outputs = (statement.groups + aggregates.flatMap(\.parts)).map { TermValue($0, isOptional: true, .null) }
        (rows.groups, rows.having, rows.order, rows.isInRowOrder) = ([], nil, [], false)
        (rows.limit, rows.offset) = (nil, nil)
        return QuerySQL { [rows] dialect throws(RepositoryError) in try dialect.select(rows) }
    }
}

/// What is computed of the rows of a group.
struct GroupAggregate: Sendable {
    let operation: Operation
    /// `nil` for a number of rows.
    let argument: StoredTerm?
    let test: StoredTest?

    /// What is read of each row: the value, and whether it counts.
    var parts: [StoredTerm] { [argument ?? .constant(.integer(1)), .test(test ?? .constant(true))] }

    /// `nil` for what depends on the order of the rows, and for what only the store can say.
    init?(_ operation: Operation, _ arguments: [StoredTerm], _ test: StoredTest?) {
        let anywhere = RowPlaces(byCharacters: true) { _ in 0 }
        guard arguments.count < 2, arguments.allSatisfy({ $0.rowTerm(anywhere) != nil }),
            test.map({ $0.rowTest(anywhere) != nil }) ?? true
        else { return nil }
        switch operation {
        case .count, .sum, .minimum, .maximum: break
        case .average where arguments.first?.isReal == false: break
        default: return nil
        }
        (self.operation, argument, self.test) = (operation, arguments.first, test)
    }
}

/// Finds the aggregates in terms, and puts columns in their places, whose names are their numbers.
private struct GroupTerms {
    private(set) var aggregates: [GroupAggregate] = []

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

    private mutating func add(_ operation: Operation, _ arguments: [StoredTerm], _ test: StoredTest?) -> StoredTerm? {
        guard let aggregate = GroupAggregate(operation, arguments, test) else { return nil }
        aggregates.append(aggregate)
        return .column(StoredColumn("\(aggregates.count - 1)", of: nil))
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
        case .count, .sum, .total, .average, .minimum, .maximum: true
        default: false
        }
    }
}

extension StoredTerm {
    /// Whether it is a floating-point number.
    fileprivate var isReal: Bool {
        switch self {
        case .column(let column): column.isReal
        case .constant(.real), .real, .unlessNaN: true
        case .operation(_, let arguments): arguments.contains(where: \.isReal)
        default: false
        }
    }
}
