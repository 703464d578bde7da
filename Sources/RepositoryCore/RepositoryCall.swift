import Foundation

/// A call of an endpoint, with the entities, the ids and the number of items that distinguish it from other calls.
///
/// A test double of a repository records the calls that it receives. Calls can be compared:
///
/// ```swift
/// print(RepositoryCall("create", Movie.self, id: 7))  // create Movie 7
/// print(RepositoryCall("insert", Movie.self, count: 500))  // insert Movie ×500
/// print(RepositoryCall("fetch", Movie.self) == RepositoryCall("fetchSubscription", Movie.self))  // false
/// ```
public struct RepositoryCall: Sendable {
    /// The name of the endpoint.
    ///
    /// All overloads of an endpoint have one name. Every query that counts has the name `count`.
    public private(set) var name: String
    /// The number of items, ids or rows passed to an endpoint that takes many; `nil` if the endpoint takes at most one,
    /// or received a sequence of unknown length.
    public let count: Int?
    /// The author of a write.
    public var author: String?
    private let entityTypes: [any Entity.Type]
    /// Makes the names of the tables when `entities` is read, as `makeIDs` makes the ids when `ids` is read.
    private let makeTables: (@Sendable () -> [String])?
    private let makeIDs: (@Sendable () -> [String])?

    /// The names of the entities passed to the endpoint: usually one, and none if the endpoint takes a custom body.
    public var entities: [String] { entityTypes.map { $0.entityName } + (makeTables?() ?? []) }
    /// The ids passed to the endpoint, or the ids of the passed items, as text and in order.
    ///
    /// For an endpoint that takes a URL, the only element is the URL.
    public var ids: [String] { makeIDs?() ?? [] }

    func named(_ name: String) -> RepositoryCall {
        var call = self
        call.name = name
        return call
    }

    private init(
        _ name: String, _ entityTypes: [any Entity.Type] = [], tables: (@Sendable () -> [String])? = nil,
        count: Int? = nil, author: String? = nil, ids: (@Sendable () -> [String])? = nil
    ) {
        (self.name, self.entityTypes, makeTables) = (name, entityTypes, tables)
        (self.count, self.author, makeIDs) = (count, author, ids)
    }
}

extension RepositoryCall {
    /// Creates the call of an endpoint on some entities, or on none.
    public init(
        _ name: String, _ entities: any Entity.Type..., count: Int? = nil, author: String? = nil
    ) {
        self.init(name, entities, tables: nil, count: count, author: author)
    }

    /// Creates the call of an endpoint for one id, or for the item that has it.
    public init<ID: Hashable & Sendable>(
        _ name: String, _ entity: any Entity.Type, id: ID, author: String? = nil
    ) {
        self.init(name, [entity], author: author) { [Self.displayText(of: id)] }
    }

    /// Creates the call of an endpoint for many ids, or for the items that have them.
    public init<ID: Hashable & Sendable>(
        _ name: String, _ entity: any Entity.Type, ids: [ID], author: String? = nil
    ) {
        self.init(name, [entity], count: ids.count, author: author) { ids.map { Self.displayText(of: $0) } }
    }
}

extension RepositoryCall {
    /// Returns an id as it appears in errors.
    private static func displayText(of id: some Hashable) -> String {
        if let id = id as? any ColumnValue { id.displayText } else { "\(id)" }
    }
}

extension RepositoryCall: Hashable {
    /// Whether two calls have the same name, count, author, entities and ids.
    public static func == (left: RepositoryCall, right: RepositoryCall) -> Bool {
        left.name == right.name && left.count == right.count && left.author == right.author
            && left.entities == right.entities && left.ids == right.ids
    }

    /// Hashes the name, the entities and the ids.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(entities)
        hasher.combine(ids)
    }
}

extension RepositoryCall: CustomStringConvertible {
    /// The endpoint, the entities, the ids or the number of items, and the author: `create Movie 7 by sync`.
    public var description: String {
        let given = ids.isEmpty ? count.map { "×\($0)" } ?? "" : ids.joined(separator: ", ")
        let words = [name, entities.joined(separator: ", "), given, author.map { "by \($0)" } ?? ""]
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

// Initializers for the endpoints. A request creates its call only when the call is read, for example by a test double.
extension RepositoryCall {
    init<Output>(_ name: String, _ rows: RowsQuery<Output>) {
        self.init(name, tables: rows.tables)
    }

    init<Root>(_ name: String, _ query: FetchQuery<Root>) {
        self.init(name, tables: { Root.fetchSource.tables.names })
    }

    init(_ name: String, tables: [String]) {
        self.init(name, tables: { tables })
    }

    init<Item: Entity>(_ name: String, _ item: Item) {
        self.init(name, Item.self, id: item.id)
    }

    init<Item: Entity>(_ name: String, _ items: [Item]) {
        self.init(name, [Item.self], count: items.count) { items.map { $0.id.displayText } }
    }

    init(_ name: String, _ entities: [any Entity.Type]) {
        self.init(name, entities, tables: nil)
    }

    init(_ name: String, _ entity: any Entity.Type, url: URL) {
        self.init(name, [entity], ids: { [url.absoluteString] })
    }

    init<Items: Sequence>(_ name: String, sequence items: Items) where Items.Element: Entity {
        self.init(name, Items.Element.self, rows: items)
    }

    /// Creates a call, with a count only if the items are a random-access collection.
    ///
    /// Counting any other sequence would run the caller's code, and might consume the sequence.
    init(_ name: String, _ entity: any Entity.Type, rows: some Sequence) {
        self.init(name, entity, count: (rows as? any RandomAccessCollection)?.count)
    }
}
