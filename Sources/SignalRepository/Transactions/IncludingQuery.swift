/// An item with what a query includes with it.
///
/// The properties of the item are those of the whole:
///
/// ```swift
/// for team in try await repository.fetch(Team.all.including(many: Player.all, by: \.teamID)).value() {
///     print(team.name, team.included.count)  // the same as team.item.name
/// }
/// ```
@dynamicMemberLookup
public struct Including<Item: Sendable, Included: Sendable>: Sendable {
    /// The item, which may itself include something.
    public let item: Item
    /// What belongs to it: items, an item, or a number.
    public let included: Included

    /// Combines an item with what belongs to it.
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

/// A query for items, alone or with what belongs to them.
public protocol ItemQuery<Root, Output>: RefinableQuery {
    /// What it comes to: the same, or the same with what is included.
    associatedtype Output: Sendable
    /// The query as one that includes something.
    var asIncludingQuery: IncludingQuery<Root, Output> { get }
}

extension FetchQuery: ItemQuery {
    /// The query as one that includes nothing yet.
    public var asIncludingQuery: IncludingQuery<Root, Root> {
        let texts = StoredTexts<Root>()
        return IncludingQuery(
            query: self, tables: Root.fetchSource.tables.names,
            link: { links throws(RepositoryError) in true }, complete: { _, items in items },
            areTextsSame: { texts.areSame($0, $1) })
    }
}

/// A query for items, each with what belongs to it: those that refer to it, what it refers to, or their number.
///
/// ```swift
/// let teams = Team.all.including(many: Player.all.sorted(by: \.name), by: \.teamID).sorted(by: \.name).limit(10)
/// ```
/// What is included is read for all items at once: one more statement for each `including`, two with `through:`.
public struct IncludingQuery<Root: Fetchable, Output: Sendable>: ItemQuery {
    fileprivate(set) var query: FetchQuery<Root>
    let tables: [String]
    /// Adds to the tables of the items those of what is included; false where it is not known on what that depends.
    let link: @Sendable (inout TableLinks) throws(RepositoryError) -> Bool
    /// Makes of items, which are of one state of the store, what they come to, in their order.
    let complete: @Sendable (ReadTransaction, [Root]) throws(RepositoryError) -> [Output]
    /// Whether the texts of two equal results are the same in the store.
    let areTextsSame: @Sendable (Output, Output) -> Bool

    /// The tables on whose rows the items and what is included depend; `nil` where that is not known.
    func links() throws(RepositoryError) -> TableLinks? {
        guard var links = try query.tableLinks(), try link(&links) else { return nil }
        return links
    }

    /// The query itself.
    public var asIncludingQuery: IncludingQuery { self }

    /// Returns the query with a changed one for its items.
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
