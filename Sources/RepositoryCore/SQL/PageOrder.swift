/// The order of a paged query: its sort keys, and then the entity's key, so that no two items have the same position.
struct PageOrder<Item: Entity> {
    let query: FetchQuery<Item>
    /// The computed sort keys, which are read after an item's columns.
    let computed: [StoredTerm]
    private let keys: [PageKey]

    /// - Failure: `.misuse` for a query with a limit or an offset.
    init(_ query: FetchQuery<Item>, in dialect: any Dialect) throws(RepositoryError) {
        guard query.limit == nil, query.offset == nil else {
            throw .misuse(detail: "a paged query cannot have a limit or an offset: use the page size and cursor")
        }
        let names = Item.schema.names
        var ordered = query
        ordered.orderings = query.sortKeys
        ordered.isReversed = false
        var (keys, computed): ([PageKey], [StoredTerm]) = ([], [])
        for ordering in ordered.orderings {
            if let column = try ordering.column() {
                keys.append(PageKey(column, isDescending: ordering.direction == .descending, in: names))
            } else if case .term(let term, let direction) = ordering {
                let value = try term.get()
                keys.append(try PageKey(value, direction, names.count + computed.count, in: dialect))
                computed.append(value.term)
            }
        }
        for column in try Item.schema.key.columns where !keys.contains(where: { $0.name == column.name.percentEncoded })
        {
            keys.append(PageKey(column, isDescending: false, in: names))
            ordered.orderings.append(.column(Ordering(column.path, .ascending)))
        }
        (self.query, self.computed, self.keys) = (ordered, computed, keys)
    }

    private var signature: String {
        keys.map { $0.name + ($0.isDescending ? ".d" : ".a") }.joined(separator: ",")
    }

    /// The indexes of the sort keys in a row of the query.
    var indexes: [Int] { keys.map(\.index) }

    /// Returns the cursor after the row whose sort keys have these values.
    func cursor(after values: [SQLValue]) -> PageCursor {
        PageCursor(encoding: signature + "~" + values.map { $0.encodedText ?? "n" }.joined(separator: ","))
    }

    /// Returns the test for the items after a cursor.
    ///
    /// - Failure: `.misuse` for a cursor of another order, and for text that is not a cursor.
    func test(after cursor: PageCursor) throws(RepositoryError) -> StoredTest {
        let parts = (cursor.content ?? "").split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == signature else {
            throw .misuse(detail: "the cursor does not belong to a query of \(Item.entityName) in this order")
        }
        let encoded = parts[1].split(separator: ",", omittingEmptySubsequences: false)
        let values = encoded.compactMap { $0 == "n" ? SQLValue.null : SQLValue(encodedText: $0) }
        guard values.count == keys.count, encoded.count == keys.count else {
            throw .misuse(detail: "the cursor is damaged")
        }
        var (equal, tests): ([StoredTest], [StoredTest]) = ([], [])
        for (key, value) in zip(keys, values) {
            tests.append(.all(equal + [key.isBeyond(value)]))
            equal.append(key.test(value == .null ? .same : .plain(.equal), value))
        }
        // Without this bound, an engine would begin to read at the first item instead of the cursor.
        guard let bound = keys[0].bound(values[0]) else { return .any(tests) }
        return .all([bound, .any(tests)])
    }
}

private struct PageKey {
    let term: StoredTerm
    /// Whether the key may be NULL; true for each computed key, in which NULL may replace NaN, for example.
    let mayBeNull: Bool
    let isDescending: Bool
    /// A name that identifies the key, without the characters that separate the parts of a cursor.
    let name: String
    /// The index of the key in a row of the query.
    let index: Int

    init<Item: Entity>(_ column: AnyColumn<Item>, isDescending: Bool, in names: [String]) {
        (term, mayBeNull) = (.column(StoredColumn(column)), column.isOptional)
        (self.isDescending, name) = (isDescending, column.name.percentEncoded)
        index = names.firstIndex(of: column.name) ?? 0
    }

    /// Creates a computed key.
    ///
    /// Its name is a hash of the SQL, which is the same in every process.
    init<Item: Entity>(
        _ value: TermValue, _ direction: Ordering<Item>.Direction, _ index: Int, in dialect: any Dialect
    ) throws(RepositoryError) {
        let sql = try dialect.term(value.term)
        let constants = sql.bindings.map { $0.encodedText ?? "n" }.joined(separator: ",")
        (term, mayBeNull) = (value.term, true)
        (isDescending, self.index) = (direction == .descending, index)
        name = ".x" + String((sql.text + "~" + constants).fingerprint, radix: 16)
    }

    func test(_ comparison: TermComparison, _ value: SQLValue) -> StoredTest {
        .terms(comparison, term, .constant(value))
    }

    /// Returns the test for a row whose key comes after a value; NULL is less than every value.
    func isBeyond(_ value: SQLValue) -> StoredTest {
        switch (isDescending, value) {
        case (false, .null): test(.notSame, .null)
        case (false, _): test(.plain(.greater), value)
        case (true, .null): .constant(false)
        case (true, _):
            mayBeNull ? .any([test(.plain(.less), value), test(.same, .null)]) : test(.plain(.less), value)
        }
    }

    /// Returns a test that every row after a value passes, and for which an engine can use an index; otherwise `nil`.
    func bound(_ value: SQLValue) -> StoredTest? {
        if value == .null || isDescending && mayBeNull { return nil }
        return test(.plain(isDescending ? .lessOrEqual : .greaterOrEqual), value)
    }
}
