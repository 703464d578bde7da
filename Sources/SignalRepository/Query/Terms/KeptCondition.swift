import Synchronization

/// A condition that is a value, and so written before it is known to which rows it will be put.
///
/// Its columns have the name of their table, as those of a query do. Within `exists` and `count(of:)` the table has
/// another name, and in a declaration none; the columns that enclosing closures captured keep theirs. So the columns of
/// a kept condition have its number, which identifies them where it is used.
enum KeptCondition {
    /// The numbers of those whose closures are running, the innermost last.
    @TaskLocal private static var running: [Int] = []

    private static let count = Atomic<Int>(0)

    /// The number of the innermost condition that is being written; 0 in the closure of a query.
    static var current: Int { running.last ?? 0 }

    static func write<Result>(_ closure: () -> Result) -> Result {
        let number = count.add(1, ordering: .relaxed).newValue
        return $running.withValue(running + [number], operation: closure)
    }

    /// Whether the columns with a number are those of a condition that is written, and not of an enclosing closure.
    static func isWritten(_ number: Int) -> Bool { number != 0 && !running.contains(number) }
}

/// Gives the columns of kept conditions the name that their table has where they are used.
struct KeptNames {
    /// The name of the table where the conditions were written.
    let written: String
    /// The name and the number of the closure's columns.
    let table: String?
    let keeper: Int

    init<Item: Entity>(_ columns: Columns<Item, Item>) {
        (written, table, keeper) = (Item.entityName, columns.table, columns.keeper)
    }

    /// A table of `exists` within a kept condition is named after the one around it, and as no other is.
    private func name(_ name: String) -> String? {
        guard name != written else { return table }
        return table.map { Identifier.shortened("\($0):\(name)") } ?? name
    }

    private func column(_ column: StoredColumn) -> StoredColumn {
        guard KeptCondition.isWritten(column.keeper) else { return column }
        return StoredColumn(column, of: column.table.flatMap(name), keeper: keeper)
    }

    func test(_ test: StoredTest) -> StoredTest {
        switch test {
        case .constant, .raw, .found: return test
        case .comparison(let column, let comparison, let value):
            return .comparison(self.column(column), comparison, value)
        case .range(let column, let lower, let upper): return .range(self.column(column), lower, upper)
        case .membership(let column, let values): return .membership(self.column(column), values)
        case .rows(let columns, let rows): return .rows(columns.map(column), rows)
        case .search(let column, let search, let bytes): return .search(self.column(column), search, bytes)
        case .terms(let comparison, let left, let right): return .terms(comparison, term(left), term(right))
        case .matches(let table, var pattern):
            guard KeptCondition.isWritten(pattern.keeper) else { return test }
            pattern.keeper = keeper
            return .matches(table: table.flatMap(name), pattern)
        case .truth(let term): return .truth(self.term(term))
        case .all(let tests): return .all(tests.map(self.test))
        case .any(let tests): return .any(tests.map(self.test))
        case .not(let test): return .not(self.test(test))
        case .decision(let steps, let last):
            return .decision(steps.map { (self.test($0.test), $0.answer) }, otherwise: self.test(last))
        }
    }

    func term(_ term: StoredTerm) -> StoredTerm {
        switch term {
        case .constant, .rowNumber, .rank: return term
        case .column(let column): return .column(self.column(column))
        case .operation(let operation, let arguments): return .operation(operation, arguments.map(self.term))
        case .filtered(let operation, let arguments, let test):
            return .filtered(operation, arguments.map(self.term), self.test(test))
        case .checked(let term): return .checked(self.term(term))
        case .unlessNaN(let term): return .unlessNaN(self.term(term))
        case .real(let term): return .real(self.term(term))
        case .distinct(let term): return .distinct(self.term(term))
        case .test(let test): return .test(self.test(test))
        case .children(let children):
            let isWritten = KeptCondition.isWritten(children.keeper)
            return .children(
                StoredChildren(
                    table: children.table, alias: isWritten ? name(children.alias) ?? children.alias : children.alias,
                    keeper: isWritten ? keeper : children.keeper, test: test(children.test),
                    areCounted: children.areCounted))
        }
    }
}
