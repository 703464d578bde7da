import Foundation

/// Where a page ends: what the next one comes after.
///
/// It is text of letters, digits, `-` and `_`, which mean nothing in a URL, so it can be sent to a client and back.
/// What it holds is the place in the order, not a number of items: items that come and go before it shift nothing.
public struct PageCursor: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The cursor as text.
    public let text: String

    /// Takes a cursor's text; whether it is one is found when the page is read.
    public init(_ text: String) {
        self.text = text
    }

    /// The cursor as text.
    public var description: String { text }

    /// Reads the text itself.
    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the text itself.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Items of a query in its order, from one cursor to the next.
public struct Page<Item: Entity>: Sendable {
    /// The items.
    public let items: [Item]
    /// What the next page comes after; `nil` when there are no more items.
    public let next: PageCursor?
}

extension PageCursor {
    /// Encodes the order and the place in it: base64 with the two signs that a URL leaves alone, and no padding.
    init(encoding content: String) {
        text = Data(content.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// What was encoded; `nil` for a text that is no cursor.
    var content: String? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

extension Page: Equatable where Item: Equatable {}

/// The order of the pages of a query: its sort keys, and then the key, so that every item has a place of its own.
struct PageOrder<Item: Entity> {
    let query: FetchQuery<Item>
    private let columns: [(column: AnyColumn<Item>, isDescending: Bool)]

    /// - Failure: `.misuse` for a query with a limit or an offset of its own.
    init(_ query: FetchQuery<Item>) throws(RepositoryError) {
        guard query.limit == nil, query.offset == nil else {
            throw .misuse(detail: "a query that is read in pages has a limit or an offset of its own")
        }
        var columns: [(column: AnyColumn<Item>, isDescending: Bool)] = []
        for ordering in query.sortKeys {
            guard let column = try ordering.column() else {
                throw .misuse(detail: "a query that is read in pages is sorted by properties, not by what is computed")
            }
            columns.append((column, ordering.direction == .descending))
        }
        var ordered = query
        for column in try Item.schema.key.columns where !columns.contains(where: { $0.column.name == column.name }) {
            columns.append((column, false))
        }
        ordered.orderings = columns.map {
            .column(Ordering($0.column.path, $0.isDescending ? .descending : .ascending))
        }
        ordered.isReversed = false
        (self.query, self.columns) = (ordered, columns)
    }

    /// What tells this order from others.
    private var signature: String {
        columns.map { $0.column.name.percentEncoded + ($0.isDescending ? ".d" : ".a") }.joined(separator: ",")
    }

    /// The places of the order's columns in a row of the query.
    var places: [Int] { columns.compactMap { column in Item.schema.names.firstIndex(of: column.column.name) } }

    /// The cursor after a row, of which these are the values of the order's columns.
    func cursor(after values: [SQLValue]) -> PageCursor {
        PageCursor(encoding: signature + "~" + values.map { $0.spelling ?? "n" }.joined(separator: ","))
    }

    /// The test that items after a cursor pass.
    ///
    /// - Failure: `.misuse` for a cursor of another order, or a text that is no cursor.
    func test(after cursor: PageCursor) throws(RepositoryError) -> StoredTest {
        let parts = (cursor.content ?? "").split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == signature else {
            throw .misuse(detail: "the cursor is of a query of \(Item.entityName) in another order, or none at all")
        }
        let spelled = parts[1].split(separator: ",", omittingEmptySubsequences: false)
        let values = spelled.compactMap { $0 == "n" ? SQLValue.null : SQLValue(spelling: $0) }
        guard values.count == columns.count, spelled.count == columns.count else {
            throw .misuse(detail: "the cursor is damaged")
        }
        var (equal, tests): ([StoredTest], [StoredTest]) = ([], [])
        for ((column, isDescending), value) in zip(columns, values) {
            let column = StoredColumn(column)
            tests.append(.all(equal + [Self.isBeyond(column, value, isDescending)]))
            equal.append(.comparison(column, .equal, value))
        }
        // Without this SQLite would not begin at the cursor, but at the first item.
        guard let bound = Self.bound(StoredColumn(columns[0].column), values[0], columns[0].isDescending) else {
            return .any(tests)
        }
        return .all([bound, .any(tests)])
    }

    /// Whether a column's value comes later; NULL comes first, as in every order.
    private static func isBeyond(_ column: StoredColumn, _ value: SQLValue, _ isDescending: Bool) -> StoredTest {
        switch (isDescending, value) {
        case (false, .null): .comparison(column, .notEqual, .null)
        case (false, _): .comparison(column, .greater, value)
        case (true, .null): .constant(false)
        case (true, _):
            column.isOptional
                ? .any([.comparison(column, .less, value), .comparison(column, .equal, .null)])
                : .comparison(column, .less, value)
        }
    }

    private static func bound(_ column: StoredColumn, _ value: SQLValue, _ isDescending: Bool) -> StoredTest? {
        if value == .null || isDescending && column.isOptional { return nil }
        return .comparison(column, isDescending ? .lessOrEqual : .greaterOrEqual, value)
    }
}
