import Foundation

/// A call of an endpoint, with what distinguishes it from others: the entities, the ids, the number of items.
///
/// A test double of a repository records these, and they can be compared:
///
/// ```swift
/// print(RepositoryCall(.create, Movie.self, id: 7))  // create Movie 7
/// print(RepositoryCall(.insert, Movie.self, count: 500))  // insert Movie ×500
/// print(RepositoryCall(.fetch, Movie.self) == RepositoryCall(.fetchSubscription, Movie.self))  // false
/// ```
public struct RepositoryCall: Sendable, Hashable {
    /// The endpoint.
    public let verb: RepositoryVerb
    /// The names of the entities passed to the endpoint: usually one, none for a body of your own.
    public let entities: [String]
    /// The ids passed to the endpoint, or those of the items, as text and in order; or the URLs.
    public let ids: [String]
    /// How many items, ids, URLs or rows were passed to an endpoint that takes many; nil when it takes none or one, and
    /// for a sequence that does not know its length.
    public let count: Int?
    /// The author of a write.
    public var author: String?
}

extension RepositoryCall {
    /// Creates the call of an endpoint on some entities, or on none.
    public init(
        _ verb: RepositoryVerb, _ entities: any Entity.Type..., count: Int? = nil, author: String? = nil
    ) {
        self.init(verb: verb, entities: entities.map { $0.entityName }, ids: [], count: count, author: author)
    }

    /// Creates the call of an endpoint for one id, or for the item that has it.
    public init<ID: Hashable>(
        _ verb: RepositoryVerb, _ entity: any Entity.Type, id: ID, author: String? = nil
    ) {
        self.init(verb: verb, entities: [entity.entityName], ids: ["\(id)"], count: nil, author: author)
    }

    /// Creates the call of an endpoint for many ids, or for the items that have them.
    public init<ID: Hashable>(
        _ verb: RepositoryVerb, _ entity: any Entity.Type, ids: [ID], author: String? = nil
    ) {
        self.init(
            verb: verb, entities: [entity.entityName], ids: ids.map { "\($0)" }, count: ids.count, author: author)
    }
}

extension RepositoryCall: CustomStringConvertible {
    /// The endpoint, the entities, the ids or the number, and the author: `create Movie 7 by sync`.
    public var description: String {
        let given = ids.isEmpty ? count.map { "×\($0)" } ?? "" : ids.joined(separator: ", ")
        let words = [verb.name, entities.joined(separator: ", "), given, author.map { "by \($0)" } ?? ""]
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

// What the endpoints report about themselves. None of it runs unless somebody listens.
extension RepositoryCall {
    init<Output>(_ verb: RepositoryVerb, _ rows: RowsQuery<Output>) {
        self.init(verb, tables: rows.tables)
    }

    init(_ verb: RepositoryVerb, tables: [String]) {
        self.init(verb: verb, entities: tables, ids: [], count: nil)
    }

    init<Item: Entity>(_ verb: RepositoryVerb, _ item: Item) {
        self.init(verb, Item.self, id: item.id)
    }

    init<Item: Entity>(_ verb: RepositoryVerb, _ items: [Item]) {
        self.init(verb, Item.self, ids: items.map(\.id))
    }

    init(_ verb: RepositoryVerb, _ entities: [any Entity.Type]) {
        self.init(verb: verb, entities: entities.map { $0.entityName }, ids: [], count: nil)
    }

    init(_ verb: RepositoryVerb, _ entity: any Entity.Type, url: URL) {
        self.init(verb: verb, entities: [entity.entityName], ids: [url.absoluteString], count: nil)
    }

    init(_ verb: RepositoryVerb, _ entity: any Entity.Type, urls: [URL]) {
        self.init(verb, entity, ids: urls.map(\.absoluteString))
    }

    init<Items: Sequence>(_ verb: RepositoryVerb, sequence items: Items) where Items.Element: Entity {
        self.init(verb, Items.Element.self, rows: items)
    }

    /// A sequence that cannot be counted up front is not counted: it may be single-pass, and iterating it runs foreign
    /// code.
    init(_ verb: RepositoryVerb, _ entity: any Entity.Type, rows: some Sequence) {
        self.init(verb, entity, count: (rows as? any RandomAccessCollection)?.count)
    }
}
