import Synchronization

/// Numbers for standalone conditions, which are written as values before the query that uses them is known.
///
/// The columns of a standalone condition name their table as the columns of a query do. But if the condition is used in
/// `exists` or `count(of:)`, the table has another name there, and in a schema it has no name. The condition's own
/// columns must then be renamed, but not the columns that it captures from enclosing closures. To tell them apart, the
/// own columns carry the number of the condition.
enum StandaloneCondition {
    /// The numbers of the conditions whose closures are running, the innermost last.
    @TaskLocal private static var running: [Int] = []

    private static let count = Atomic<Int>(0)

    /// The number of the innermost condition whose closure is running; 0 in the closure of a query.
    static var current: Int { running.last ?? 0 }

    static func write<Result>(_ closure: () -> Result) -> Result {
        let number = count.add(1, ordering: .relaxed).newValue
        return $running.withValue(running + [number], operation: closure)
    }

    /// Whether a number belongs to a finished condition, not to a query or an enclosing closure.
    static func isWritten(_ number: Int) -> Bool { number != 0 && !running.contains(number) }
}

/// Renames the tables in standalone conditions to the names that they have where the conditions are used.
struct StandaloneRenaming {
    /// The name that the table had when the conditions were written.
    let written: String
    /// The table's name and the number for the columns where the conditions are used.
    let table: String?
    let keeper: Int

    init<Item: Entity>(_ columns: Columns<Item, Item>) {
        (written, table, keeper) = (Item.entityName, columns.table, columns.keeper)
    }

    /// Returns the new name of a table.
    ///
    /// A table of `exists` gets the name of the enclosing table as a prefix, so that its name is unique.
    private func name(_ name: String) -> String? {
        guard name != written else { return table }
        return table.map { Identifier.shortened("\($0):\(name)") } ?? name
    }

    private func column(_ column: StoredColumn) -> StoredColumn {
        guard StandaloneCondition.isWritten(column.keeper) else { return column }
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
            guard StandaloneCondition.isWritten(pattern.keeper) else { return test }
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
        case .constant, .now, .rowNumber, .rank: return term
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
            let isWritten = StandaloneCondition.isWritten(children.keeper)
            return .children(
                StoredChildren(
                    table: children.table, alias: isWritten ? name(children.alias) ?? children.alias : children.alias,
                    keeper: isWritten ? keeper : children.keeper, test: test(children.test),
                    areCounted: children.areCounted))
        }
    }
}
