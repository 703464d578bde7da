/// A type that a query can fetch: an entity, or the result of a join.
public protocol Fetchable: Sendable {
    /// The parameter type of a query's closures, which has a `Term` for each property of the item.
    associatedtype QueryTerms
    /// The value that a query passes to its closures.
    static var queryTerms: QueryTerms { get }
    /// The tables of a query, and the function that reads an item from their columns.
    static var fetchSource: FetchSource<Self> { get }
    /// The order of queries without sort keys.
    static var defaultOrder: [Ordering<Self>] { get }
}

extension Fetchable {
    /// Defaults to no sort keys; see ``FetchQuery`` for the order in which the store then returns items.
    public static var defaultOrder: [Ordering<Self>] { [] }
}

/// The parameter of a query's closure, which has a `Term` for each property of an entity.
///
/// ```swift
/// Movie.where { movie in movie.title == "Fargo" }
/// ```
@dynamicMemberLookup
public struct Columns<Root, Item: Entity>: Sendable {
    /// The name of the table within the statement; `nil` if it is the only table.
    let table: String?
    /// The number of the standalone condition (one outside a query) whose closure gets these columns; 0 in a query.
    var keeper = 0
}

/// The tables that items are fetched from, and the functions that read items from their rows.
public struct FetchSource<Item>: Sendable {
    let tables: [SourceTable]
    let read: @Sendable (RowSource) throws(RepositoryError) -> Item
    let readAll: @Sendable (any StoreStatement) throws(RepositoryError) -> [Item]
    /// Comparisons that tell apart items that are equal in Swift but have different texts in the store.
    let texts: @Sendable () -> [TextComparison<Item>]

    init(
        _ tables: [SourceTable], texts: @escaping @Sendable () -> [TextComparison<Item>],
        read: @escaping @Sendable (RowSource) throws(RepositoryError) -> Item,
        readAll: (@Sendable (any StoreStatement) throws(RepositoryError) -> [Item])? = nil
    ) {
        (self.tables, self.texts, self.read) = (tables, texts, read)
        if let readAll {
            self.readAll = readAll
        } else {
            self.readAll = { statement throws(RepositoryError) in try statement.readAll(read) }
        }
    }
}

/// A table of a query, and the columns read from it.
package struct SourceTable: Sendable {
    package let name: String
    /// The table's name within the statement; `nil` if it is the only table, so that columns need no qualifier.
    package let label: String?
    package let columns: [String]
    /// The list of columns for a statement in which this is the only table.
    package let columnList: String
    /// The values read from a full-text index.
    package var found: [SearchValue] = []
    package let key: Result<[String], RepositoryError>
    /// Whether the table may have no row for an item, as in an outer join.
    package var isOptional = false
    package let references: @Sendable () -> [(column: String, table: String)]

    package var width: Int { columns.count + found.count }

    package init<Item: Entity>(_ type: Item.Type, label: String? = nil, isOptional: Bool = false) {
        let schema = Item.schema
        (name, self.label, self.isOptional) = (Item.entityName, label, isOptional)
        (columns, columnList) = (schema.names, schema.nameList)
        key = Result { () throws(RepositoryError) in try schema.key.names }
        references = {
            schema.columns.compactMap { column in
                column.reference.map { (column: column.name, table: $0.entityName()) }
            }
        }
    }

    /// Creates the source of a full-text index.
    package init(_ name: String, found: [SearchValue]) {
        (self.name, label, columns, columnList, self.found, references) = (name, name, [], "", found, { [] })
        key = .success([])
    }
}

extension [SourceTable] {
    var names: [String] { map { $0.name } }
}

/// A value that a full-text index returns for a matching row.
package enum SearchValue: Sendable {
    /// The relevance of the row; lower is better.
    case rank
    /// The part of the row's texts with the most matches, with U+FDD0 before each match and U+FDD1 after it.
    case snippet
}

extension Entity {
    /// The entity's table, and the functions that read items from its rows.
    public static var fetchSource: FetchSource<Self> {
        let schema = schema
        return FetchSource(
            [SourceTable(Self.self)], texts: { schema.textComparisons },
            read: { row throws(RepositoryError) in try schema.item(at: row) },
            readAll: { statement throws(RepositoryError) in try statement.items(schema) })
    }
}
