/// The tables whose rows determine the items of a query, and the columns that link these tables.
///
/// The first table has a row for each item. Every other table is linked to an earlier table by two columns with equal
/// values, or is joined to the earlier tables by another condition. The links come from joins, from `including`, and
/// from `exists` and `count(of:)`. If a link is unknown, the query has no `TableLinks`.
///
/// If a commit changed a row, following the links from the row's old values and from its new values finds every item
/// that the change may affect. Rows in between that the commit did not change have the same links as before.
struct TableLinks: Sendable {
    /// One occurrence of a table in a query.
    struct Occurrence: Sendable {
        let table: String
        /// The table's name within the statement; `nil` for a table of included items, which another statement reads.
        let label: String?
        /// The columns whose values in a changed row determine the affected rows of the first table: the key of the
        /// first table, the linked column, or the columns in the condition of a join.
        let columns: [StoredColumn]
        /// The link to an earlier table; `nil` for the first table, and for one that is not joined by two equal
        /// columns.
        var link: Link?
        /// The parts of the query's condition that compare one of the table's columns with values.
        fileprivate(set) var tests: [StoredTest] = []
        /// Whether an item may have no row of the table, as in an outer join.
        fileprivate(set) var isOptional = false
        /// Whether the linked column is the table's key, which is not NULL.
        fileprivate(set) var isLinkedByKey = false
    }

    struct Link: Sendable {
        /// The linked column of the table, and the equal column of the earlier table.
        let (column, other): (StoredColumn, StoredColumn)
        /// The index of the earlier table.
        var parent: Int
        /// Whether rows are also linked if both columns are NULL.
        let findsNull: Bool
    }

    private(set) var occurrences: [Occurrence]
    /// Whether a query of included items uses `.now`.
    private(set) var usesTimeElsewhere = false
    private let usesTime: Bool
    /// The statement of the query, with weaker joins, which also find the rows that were joined before a commit; see
    /// `StoredTest.lasting`.
    ///
    /// Its tables have the same indexes as in `occurrences`.
    let statement: SelectStatement

    /// Creates the links of a query, beginning with the table that has a row for each item.
    fileprivate init(_ statement: SelectStatement, root: SourceTable) throws(RepositoryError) {
        (self.statement, usesTime) = (statement.joined { $0.lasting }, statement.usesTime)
        let key = try root.key.get().map { StoredColumn($0, of: root.label) }
        occurrences = [Occurrence(table: root.name, label: root.label ?? root.name, columns: key)]
    }

    /// The key columns of the first table.
    var key: [StoredColumn] { occurrences[0].columns }

    var tables: Set<String> { Set(occurrences.map(\.table)) }

    /// Whether a row of a table may be linked by NULL to items that have no row of an optional table.
    ///
    /// The links do not find these items. `isNull` is whether the row's linked column is NULL.
    func mayBelongToMissing(_ index: Int, isNull: Bool) -> Bool {
        guard let link = occurrences[index].link else { return false }
        if isNull, link.findsNull, occurrences[link.parent].isOptional { return true }
        return mayBelongToMissing(link.parent, isNull: !occurrences[link.parent].isLinkedByKey)
    }

    /// Returns the part of the query's condition that can be decided from a single row of a table.
    func test(of table: String) -> StoredTest {
        let found = occurrences.filter { $0.table == table }
        guard found.count == 1, let occurrence = found.first else { return .constant(true) }
        guard let link = occurrence.link else { return .all(occurrence.tests) }
        // If the condition requires values of the parent's linked column, this table's column must have the same
        // values.
        return .all(
            occurrence.tests + occurrences[link.parent].tests.compactMap { $0.of(link.other.name, as: link.column) })
    }

    /// Adds the tables of included items, and links the first of them to the table at index `parent`.
    ///
    /// A row of the first added table is linked to a parent row if its `column` equals the parent row's `own` column.
    mutating func append(
        _ other: TableLinks, to parent: Int = 0, where column: StoredColumn, equals own: StoredColumn
    ) {
        let start = occurrences.count
        usesTimeElsewhere = usesTimeElsewhere || other.usesTimeElsewhere || other.usesTime
        for (index, occurrence) in other.occurrences.enumerated() {
            var link = occurrence.link
            link?.parent += start
            if index == 0 { link = Link(column: column, other: own, parent: parent, findsNull: false) }
            let columns = index == 0 ? [column] : occurrence.columns
            occurrences.append(Occurrence(table: occurrence.table, label: nil, columns: columns, link: link))
        }
    }
}

extension SelectStatement {
    /// Returns the tables on whose rows the result depends; `nil` if they are unknown.
    func links() throws(RepositoryError) -> TableLinks? {
        guard let root = tables.first, tables.allSatisfy({ $0.found.isEmpty }), joins.count == tables.count - 1 else {
            return nil
        }
        var links = try TableLinks(self, root: root)
        // The tables of the query come first, so each has the same index in `tables` and in `occurrences`.
        for (table, join) in zip(tables.dropFirst(), joins) {
            if !links.add(table.name, label: table.label ?? table.name, where: join) {
                // A weaker left join finds no row for an item without a match, on which a further join may depend.
                guard tables.count == 2 || joins.allSatisfy(\.isLasting) else { return nil }
                links.add(table, joinedBy: join)
            }
            links.noteLast(table)
        }
        for join in joins where !links.add(.test(join)) { return nil }
        if let test {
            guard links.add(.test(test)) else { return nil }
            for (index, table) in tables.enumerated() where !table.isOptional {
                links.narrow(index, to: test, of: table)
            }
        }
        if let having, !links.add(.test(having)) { return nil }
        for term in outputs.map(\.term) + groups + order.map(\.term) {
            guard links.add(.term(term)) else { return nil }
        }
        return links
    }
}

extension TableLinks {
    /// Adds a table and returns true if a test requires one of its columns to equal a column of an earlier table.
    fileprivate mutating func add(_ table: String, label: String, where test: StoredTest) -> Bool {
        let parts = if case .all(let tests) = test { tests } else { [test] }
        for part in parts {
            guard case .terms(let comparison, .column(let left), .column(let right)) = part else { continue }
            guard comparison == .plain(.equal) || comparison == .same else { continue }
            for (column, other) in [(left, right), (right, left)] where column.table == label {
                guard let parent = index(named: other.table) else {
                    continue
                }
                let link = Link(column: column, other: other, parent: parent, findsNull: comparison == .same)
                occurrences.append(Occurrence(table: table, label: label, columns: [column], link: link))
                return true
            }
        }
        return false
    }

    /// Adds a table that is joined to the earlier tables by a condition other than two equal columns.
    fileprivate mutating func add(_ table: SourceTable, joinedBy test: StoredTest) {
        var columns: [StoredColumn] = []
        _ = test.replacing { part in
            if case .term(.column(let column)) = part, column.table == table.label,
                !columns.contains(where: { $0.name == column.name })
            {
                columns.append(column)
            }
            return nil
        }
        if columns.isEmpty { columns = table.columns.prefix(1).map { StoredColumn($0, of: table.label) } }
        occurrences.append(Occurrence(table: table.name, label: table.label, columns: columns))
    }

    /// Notes what the links need to know of the table that was added last.
    fileprivate mutating func noteLast(_ table: SourceTable) {
        let last = occurrences.count - 1
        occurrences[last].isOptional = table.isOptional
        occurrences[last].isLinkedByKey = (try? table.key.get()) == occurrences[last].columns.map(\.name)
    }

    /// Returns the index of the table with a name within the statement.
    ///
    /// If a query uses a condition twice, two tables have the same name. The index of the later one is returned.
    private func index(named label: String?) -> Int? {
        label.flatMap { label in occurrences.lastIndex { $0.label == label } }
    }

    /// Adds the tables that a condition or a term reads; returns false if the result depends on more than their rows.
    fileprivate mutating func add(_ part: StoredPart) -> Bool {
        switch part {
        case .test(.raw), .test(.found), .term(.rowNumber), .term(.rank): return false
        case .term(.children(let children)):
            guard add(children.table, label: children.alias, where: children.test) else { return false }
        case .test, .term: break
        }
        for part in part.parts {
            guard add(part) else { return false }
        }
        return true
    }

    /// Records the tests of a condition that a row of a table must pass to be a part of any item.
    fileprivate mutating func narrow(_ index: Int, to test: StoredTest, of table: SourceTable) {
        let parts = if case .all(let tests) = test { tests } else { [test] }
        occurrences[index].tests = parts.filter { $0.isOf(table) }
    }
}

extension StoredTest {
    /// A test that holds for given rows of the joined tables if this test held before a commit or holds after it.
    ///
    /// It lacks the parts that depend on other rows, which the commit may have changed, or on the time.
    fileprivate var lasting: StoredTest {
        switch self {
        case .all(let tests): .all(tests.map(\.lasting))
        case .any(let tests): .any(tests.map(\.lasting))
        default: isLasting ? self : .constant(true)
        }
    }

    fileprivate var isLasting: Bool { !dependsOnOtherRows && !StoredPart.test(self).contains(where: \.isTime) }

    /// Returns this test for another column; `nil` unless this test lists the allowed values of the column `name`.
    fileprivate func of(_ name: String, as column: StoredColumn) -> StoredTest? {
        switch self {
        case .comparison(let own, .equal, let value) where own.name == name: .comparison(column, .equal, value)
        case .membership(let own, let values) where own.name == name: .membership(column, values)
        default: nil
        }
    }

    func labelled(_ label: String) -> StoredTest {
        switch self {
        case .comparison(let column, let comparison, let value):
            .comparison(StoredColumn(column, of: label), comparison, value)
        case .range(let column, let lower, let upper): .range(StoredColumn(column, of: label), lower, upper)
        case .membership(let column, let values): .membership(StoredColumn(column, of: label), values)
        default: .constant(true)
        }
    }

    /// Whether the test only compares a column of a table with values.
    fileprivate func isOf(_ table: SourceTable) -> Bool {
        switch self {
        case .comparison(let column, _, _), .range(let column, _, _), .membership(let column, _):
            // A column of the query's only table may lack the table's name.
            column.table == table.label || column.table == (table.label ?? table.name)
        default: false
        }
    }
}
