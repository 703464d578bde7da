/// The tables on whose rows the items of a query depend: first the one that has a row for each item, and then those
/// that are read with it, each linked to one before it by two columns whose values are equal.
///
/// It is made where all of that is known, and only there: of joins and included items by their references, and of
/// conditions on other items. So the rows that a commit changed lead to all items that it may concern. A row that did
/// not change leads to the same ones as before; one that did, by its old values and by its new ones.
struct TableLinks: Sendable {
    /// A table, or one of several places that it has in a query.
    struct Place: Sendable {
        let table: String
        /// Its name within the statement; `nil` where no statement has it together with the others.
        let label: String?
        /// What links it to a table before it; `nil` for the first.
        var link: Link?
        /// The part of the condition that can be decided from a single row: each compares a column with values.
        fileprivate(set) var tests: [StoredTest] = []
    }

    struct Link: Sendable {
        /// The column of the table, and that of the table before it.
        let (column, other): (StoredColumn, StoredColumn)
        /// The index of the table before it.
        var parent: Int
        /// Whether NULL equals NULL.
        let findsNull: Bool
    }

    private(set) var places: [Place]
    /// The columns that tell the items apart, or the rows of which they are made.
    let key: [StoredColumn]

    /// Begins with the table that has a row for each item.
    init(_ root: SourceTable) throws(RepositoryError) {
        places = [Place(table: root.name, label: root.label ?? root.name)]
        key = try root.key.get().map { StoredColumn($0, of: root.label) }
    }

    var tables: Set<String> { Set(places.map(\.table)) }

    /// What a row of a table has to pass to make any difference, as far as it is known.
    func test(of table: String) -> StoredTest {
        let found = places.filter { $0.table == table }
        guard found.count == 1, let place = found.first else { return .constant(true) }
        guard let link = place.link else { return .all(place.tests) }
        // Where the rows to which it is linked have to have certain values, it has them too.
        return .all(place.tests + places[link.parent].tests.compactMap { $0.of(link.other.name, as: link.column) })
    }

    /// Adds the tables of other items, which are read with those of a table here where two columns are equal.
    mutating func append(
        _ other: TableLinks, to parent: Int = 0, where column: StoredColumn, equals own: StoredColumn
    ) {
        let start = places.count
        for (index, place) in other.places.enumerated() {
            var link = place.link
            link?.parent += start
            if index == 0 { link = Link(column: column, other: own, parent: parent, findsNull: false) }
            places.append(Place(table: place.table, label: nil, link: link))
        }
    }
}

extension FetchQuery {
    /// The tables on whose rows the items depend; `nil` where that is not known.
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
    /// Adds a table whose rows belong to those of the tables before it where a test passes; false when it does not say
    /// that two columns are equal.
    fileprivate mutating func add(_ table: String, label: String, where test: StoredTest) -> Bool {
        let parts = if case .all(let tests) = test { tests } else { [test] }
        for part in parts {
            guard case .terms(let comparison, .column(let left), .column(let right)) = part else { continue }
            guard comparison == .plain(.equal) || comparison == .same else { continue }
            for (column, other) in [(left, right), (right, left)] where column.table == label {
                guard let parent = place(named: other.table) else {
                    continue
                }
                let link = Link(column: column, other: other, parent: parent, findsNull: comparison == .same)
                places.append(Place(table: table, label: label, link: link))
                return true
            }
        }
        return false
    }

    /// The index of the table with a name within the statement.
    ///
    /// It is the last one: a condition on other items that is written twice has its names twice, one after the other.
    private func place(named label: String?) -> Int? {
        label.flatMap { label in places.lastIndex { $0.label == label } }
    }

    /// Adds the tables that a condition or a term looks at; false when it depends on more than their rows.
    fileprivate mutating func add(_ part: StoredPart) -> Bool {
        switch part {
        // What a closure of the program's own says of a row may change from one call to the next, and a language's
        // order with the system.
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

    /// Notes what the rows of a table have to have for any item to be made of them, as far as a condition says.
    fileprivate mutating func narrow(_ index: Int, to test: StoredTest, of table: SourceTable) {
        let parts = if case .all(let tests) = test { tests } else { [test] }
        places[index].tests = parts.filter { $0.isOf(table) }
    }
}

extension StoredTest {
    /// What it demands of the values of a column, demanded of another one.
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

    /// Whether it compares a column of a table with values, and does nothing else.
    fileprivate func isOf(_ table: SourceTable) -> Bool {
        switch self {
        case .comparison(let column, _, _), .range(let column, _, _), .membership(let column, _):
            // The only table of a query may be named or not.
            column.table == table.label || column.table == (table.label ?? table.name)
        default: false
        }
    }
}
