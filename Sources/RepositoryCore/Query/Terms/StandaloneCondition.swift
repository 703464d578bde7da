import Synchronization

/// Numbers for standalone conditions: `Condition` values that are written before the query that uses them is known.
///
/// The columns of a standalone condition name their table as the columns of a query do. But in `exists` and
/// `count(of:)` the table has another name, and in a schema it has none. Then the table must be renamed in the
/// condition's own columns, but not in columns that the condition captures from enclosing closures. To distinguish
/// the two kinds, the condition's own columns carry its number.
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

    /// Whether a number belongs to a standalone condition whose closure has returned.
    static func isWritten(_ number: Int) -> Bool { number != 0 && !running.contains(number) }
}

/// Renames the tables in standalone conditions to the names that they have where the conditions are used.
struct StandaloneRenaming {
    /// The name that the table had when the conditions were written.
    let written: String
    /// The table's name, and the `Columns.keeper` of its columns, where the conditions are used.
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

    func test(_ test: StoredTest) -> StoredTest { test.replacing(replacement) }

    func term(_ term: StoredTerm) -> StoredTerm { term.replacing(replacement) }

    private func replacement(of part: StoredPart) -> StoredPart? {
        switch part {
        case .term(.column(let column)) where StandaloneCondition.isWritten(column.keeper):
            return .term(.column(StoredColumn(column, of: column.table.flatMap(name), keeper: keeper)))
        case .term(.children(let children)) where StandaloneCondition.isWritten(children.keeper):
            return .term(
                .children(
                    StoredChildren(
                        table: children.table, alias: name(children.alias) ?? children.alias, keeper: keeper,
                        test: test(children.test), areCounted: children.areCounted)))
        case .test(.matches(let table, var pattern)) where StandaloneCondition.isWritten(pattern.keeper):
            pattern.keeper = keeper
            return .test(.matches(table: table.flatMap(name), pattern))
        case .test, .term: return nil
        }
    }
}
