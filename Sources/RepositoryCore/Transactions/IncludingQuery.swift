/// An item together with the items that a query includes for it.
///
/// The properties of the item can be read directly:
///
/// ```swift
/// for team in try await repository.fetch(Team.all.including(many: Player.all, by: \.teamID)).value() {
///     print(team.name, team.included.count)  // the same as team.item.name
/// }
/// ```
@dynamicMemberLookup
public struct Including<Item: Sendable, Included: Sendable>: Sendable {
    /// The item, which may itself be an `Including`.
    public let item: Item
    /// The included items, the included item, or the number of included items.
    public let included: Included

    /// Combines an item with its included value.
    public init(item: Item, included: Included) {
        (self.item, self.included) = (item, included)
    }

    /// A property of the item.
    public subscript<Value>(dynamicMember path: KeyPath<Item, Value>) -> Value { item[keyPath: path] }
}

extension Including: Equatable where Item: Equatable, Included: Equatable {}
extension Including: Hashable where Item: Hashable, Included: Hashable {}
extension Including: Identifiable where Item: Identifiable {
    /// The id of the item.
    public var id: Item.ID { item.id }
}

/// A query for items, alone or with the items that the query includes for them.
public protocol ItemQuery<Root, Output>: RefinableQuery {
    /// The type of a result: the item alone, or an `Including` with the item.
    associatedtype Output: Sendable
    /// The same query as an `IncludingQuery`.
    var asIncludingQuery: IncludingQuery<Root, Output> { get }
}

extension FetchQuery: ItemQuery {
    /// The same query as an `IncludingQuery` that includes nothing.
    public var asIncludingQuery: IncludingQuery<Root, Root> {
        let texts = StoredTexts<Root>()
        return IncludingQuery(
            query: self, tables: Root.fetchSource.tables.names,
            link: { links throws(RepositoryError) in true }, complete: { _, items in items },
            areTextsSame: { texts.areSame($0, $1) })
    }
}

/// A query for items with related items: the items that refer to each item, their number, or the item it refers to.
///
/// ```swift
/// let teams = Team.all.including(many: Player.all.sorted(by: \.name), by: \.teamID).sorted(by: \.name).limit(10)
/// ```
/// Each `including` adds one statement, or two with `through:`, to read the included items of all items at once.
public struct IncludingQuery<Root: Fetchable, Output: Sendable>: ItemQuery {
    fileprivate(set) var query: FetchQuery<Root>
    let tables: [String]
    /// Adds links to the tables of the included items; returns false if the rows that the included items depend on are
    /// unknown.
    let link: @Sendable (inout TableLinks) throws(RepositoryError) -> Bool
    /// Turns items, read from one state of the store, into results in the same order.
    let complete: @Sendable (ReadTransaction, [Root]) throws(RepositoryError) -> [Output]
    /// Returns whether the texts of two equal results are also equal in the store, which compares bytes.
    let areTextsSame: @Sendable (Output, Output) -> Bool

    /// Returns the tables on whose rows the items and the included items depend; `nil` if they are unknown.
    func links() throws(RepositoryError) -> TableLinks? {
        guard var links = try SelectStatement(query).links(), try link(&links) else { return nil }
        return links
    }

    /// The query itself.
    public var asIncludingQuery: IncludingQuery { self }

    /// Returns a copy with a changed query for its items.
    public func refined(_ change: (inout FetchQuery<Root>) -> Void) -> IncludingQuery {
        var including = self
        change(&including.query)
        return including
    }
}

extension ItemQuery {
    func adding<Included>(
        _ inclusion: Inclusion<Root, Included>
    ) -> IncludingQuery<Root, Including<Output, Included>> {
        let base = asIncludingQuery
        return IncludingQuery(
            query: base.query, tables: base.tables + inclusion.tables,
            link: { links throws(RepositoryError) in
                guard try base.link(&links) else { return false }
                return try inclusion.link(&links)
            },
            complete: { store, items throws(RepositoryError) in
                let outputs = try base.complete(store, items)
                var keys: [SQLValue] = []
                keys.reserveCapacity(items.count)
                for item in items { keys.append(try inclusion.key(item)) }
                let found = try inclusion.load(store, Set(keys).filter { $0 != .null })
                return zip(outputs, keys).map { Including(item: $0, included: found[$1] ?? inclusion.none) }
            },
            areTextsSame: { left, right in
                base.areTextsSame(left.item, right.item) && inclusion.areTextsSame(left.included, right.included)
            })
    }
}
