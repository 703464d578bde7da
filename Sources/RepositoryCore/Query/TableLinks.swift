/// The tables on whose rows the items of a query depend.
///
/// The first one has a row for each item. Every other table is linked to an earlier one by two columns with equal
/// values. The links come from joins and included items, by their references, and from conditions on other items. They
/// exist only if all of these are known. So the rows that a commit changed lead to every item that it may affect: an
/// unchanged row leads to the same items as before, a changed one leads to items by its old values and by its new ones.
struct TableLinks: Sendable {
    /// One occurrence of a table in a query.
    struct Occurrence: Sendable {
        let table: String
        /// The name within the statement; `nil` if no statement has the table together with the others.
        let label: String?
        /// The link to an earlier table; `nil` for the first one.
        var link: Link?
        /// The part of the condition that can be decided from a single row: each compares a column with values.
        fileprivate(set) var tests: [StoredTest] = []
    }

    struct Link: Sendable {
        /// The column of the table, and the column of the earlier table.
        let (column, other): (StoredColumn, StoredColumn)
        /// The index of the earlier table.
        var parent: Int
        /// Whether NULL equals NULL.
        let findsNull: Bool
    }

    private(set) var occurrences: [Occurrence]
    /// The key columns of the first table.
    let key: [StoredColumn]

    /// Creates the links of a query, beginning with the table that has a row for each item.
    init(_ root: SourceTable) throws(RepositoryError) {
        occurrences = [Occurrence(table: root.name, label: root.label ?? root.name)]
        key = try root.key.get().map { StoredColumn($0, of: root.label) }
    }

    var tables: Set<String> { Set(occurrences.map(\.table)) }

    /// The part of the query's condition that can be decided from a single row of a table.
    func test(of table: String) -> StoredTest {
        let found = occurrences.filter { $0.table == table }
        guard found.count == 1, let occurrence = found.first else { return .constant(true) }
        guard let link = occurrence.link else { return .all(occurrence.tests) }
        // If the linked rows must have certain values, so must this one.
        return .all(
            occurrence.tests + occurrences[link.parent].tests.compactMap { $0.of(link.other.name, as: link.column) })
    }

    /// Adds the tables of included items, and links the first of them to the table at index `parent`.
    ///
    /// Two rows are linked if `column` of the first and `own` of the parent have equal values.
    mutating func append(
        _ other: TableLinks, to parent: Int = 0, where column: StoredColumn, equals own: StoredColumn
    ) {
        let start = occurrences.count
        for (index, occurrence) in other.occurrences.enumerated() {
            var link = occurrence.link
            link?.parent += start
            if index == 0 { link = Link(column: column, other: own, parent: parent, findsNull: false) }
            occurrences.append(Occurrence(table: occurrence.table, label: nil, link: link))
        }
    }
}

extension FetchQuery {
    /// The tables on whose rows the items depend; `nil` if that is not known.
    func tableLinks() throws(RepositoryError) -> TableLinks? {
        let tables = Root.fetchSource.tables
        guard let root = tables.first, tables.allSatisfy({ $0.found.isEmpty }) else { return nil }
        var links = try TableLinks(root)
        let joins = try storedJoins()
        guard joins.count == tables.count - 1 else { return nil }
        for (table, join) in zip(tables.dropFirst(), joins) {
            guard links.add(table.name, label: table.label ?? table.name, where: join), links.add(.test(join)) else {
                return nil
            }
        }
        if let test = try condition?.stored() {
            guard links.add(.test(test)) else { return nil }
            for (index, table) in tables.enumerated() where !table.isOptional {
                links.narrow(index, to: test, of: table)
            }
        }
        for key in sortKeys {
            guard links.add(.term(try key.term())) else { return nil }
        }
        return links
    }
}

extension TableLinks {
    /// Adds a table that a test joins to earlier tables; returns false if the test does not require two equal columns.
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
                occurrences.append(Occurrence(table: table, label: label, link: link))
                return true
            }
        }
        return false
    }

    /// The index of the table with a name within the statement.
    ///
    /// It is the last one: a condition on other items that is written twice has its names twice, one after the other.
    private func index(named label: String?) -> Int? {
        label.flatMap { label in occurrences.lastIndex { $0.label == label } }
    }

    /// Adds the tables that a condition or a term reads; returns false if it depends on more than their rows.
    fileprivate mutating func add(_ part: StoredPart) -> Bool {
        switch part {
        // The result of a custom function may change from call to call, and the order of a language with the system.
        case .test(.raw), .test(.matches), .test(.found), .term(.operation(.own, _)), .term(.operation(.collated, _)),
            .term(.operation(.localized, _)), .term(.filtered), .term(.rowNumber), .term(.rank):
            return false
        case .term(.children(let children)):
            guard add(children.table, label: children.alias, where: children.test) else { return false }
        case .test, .term: break
        }
        for part in part.parts {
            guard add(part) else { return false }
        }
        return true
    }

    /// Records the parts of a condition that a row of a table must pass for any item to be made from it.
    fileprivate mutating func narrow(_ index: Int, to test: StoredTest, of table: SourceTable) {
        let parts = if case .all(let tests) = test { tests } else { [test] }
        occurrences[index].tests = parts.filter { $0.isOf(table) }
    }
}

extension StoredTest {
    /// The same test of another column; `nil` if this one does not list the values of the column `name`.
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
            // The only table of a query may or may not be named.
            column.table == table.label || column.table == (table.label ?? table.name)
        default: false
        }
    }
}
