public import Signals

/// An item with those of another entity that refer to it.
public struct WithChildren<Parent: Entity, Child: Entity>: Sendable {
    /// The item.
    public let parent: Parent
    /// The items that refer to it, in the order of their query.
    public let children: [Child]
}

extension WithChildren: Equatable where Parent: Equatable, Child: Equatable {}

/// A query for items, each with those of another entity that refer to it.
public struct IncludingQuery<Parent: Entity, Child: Entity>: Sendable {
    fileprivate let parents: FetchQuery<Parent>
    fileprivate let children: FetchQuery<Child>
    fileprivate let reference: PartialKeyPath<Child> & Sendable
}

extension FetchQuery where Root: Entity {
    /// Includes with each item those of another entity that refer to it.
    ///
    /// ```swift
    /// let teams = Team.all.sorted(by: \.name).including(many: Player.all.sorted(by: \.name), by: \.teamID)
    /// ```
    public func including<Child: Entity, Reference: ColumnValue>(
        many children: FetchQuery<Child>, by reference: KeyPath<Child, Reference> & Sendable
    ) -> IncludingQuery<Root, Child> where Reference.Plain == Root.ID.Plain {
        IncludingQuery(parents: self, children: children, reference: reference)
    }
}

extension Entity {
    /// Includes with every item those of another entity that refer to it.
    public static func including<Child: Entity, Reference: ColumnValue>(
        many type: Child.Type, by reference: KeyPath<Child, Reference> & Sendable
    ) -> IncludingQuery<Self, Child> where Reference.Plain == ID.Plain {
        all.including(many: Child.all, by: reference)
    }
}

extension Repository {
    /// Fetches items, each with those of another entity that refer to it: two statements, one state of the store.
    ///
    /// ```swift
    /// let teams = try await repository.fetch(Team.including(many: Player.self, by: \.teamID)).value()
    /// for team in teams { print(team.parent.name, team.children.count) }
    /// ```
    /// - Delivery: one array, in the query's order; then it finishes.
    /// - Failure: as `fetch(_:)` of either entity; `.misuse` for a query of children with a limit or an offset.
    public func fetch<Parent: Entity, Child: Entity>(
        _ query: IncludingQuery<Parent, Child>
    ) -> Signal<[WithChildren<Parent, Child>], RepositoryError> {
        read(for: RepositoryCall(.fetch, Parent.self, Child.self)) { store in try store.fetch(query) }
    }

    /// Fetches items, each with those of another entity that refer to it, now and whenever they change.
    ///
    /// - Delivery: the current array, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish. It is read again after a commit that changed one of the tables.
    /// - Failure: as `fetch(_:)`, which ends it; `.closed` when the repository is closed.
    public func fetchSubscription<Parent: Entity & Equatable, Child: Entity & Equatable>(
        _ query: IncludingQuery<Parent, Child>
    ) -> Signal<[WithChildren<Parent, Child>], RepositoryError> {
        let (parents, children) = (StoredTexts<Parent>(), StoredTexts<Child>())
        let live = LiveQuery<[WithChildren<Parent, Child>]>(
            isSame: { left, right in
                left == right
                    && zip(left, right).allSatisfy {
                        parents.areSame($0.parent, $1.parent) && children.areSame($0.children, $1.children)
                    }
            }, { store in try store.fetch(query) })
        return followValues(for: RepositoryCall(.fetchSubscription, Parent.self, Child.self), live)
    }
}

extension ReadTransaction {
    /// Fetches items, each with those of another entity that refer to it.
    ///
    /// - Failure: as `fetch(_:)` of either entity; `.misuse` for a query of children with a limit or an offset.
    public func fetch<Parent: Entity, Child: Entity>(
        _ query: IncludingQuery<Parent, Child>
    ) throws(RepositoryError) -> [WithChildren<Parent, Child>] {
        guard query.children.limit == nil, query.children.offset == nil else {
            throw .misuse(detail: "a limit or an offset of the children would be one of all of them together")
        }
        let parents = try fetch(query.parents)
        let (key, column) = (try Parent.schema.idColumn, try Child.schema.column(for: query.reference))
        guard key.form == .exact, column.form == .exact, key.scale == column.scale else {
            throw .misuse(
                detail: "\(Child.entityName).\(column.name) and the key of \(Parent.entityName) are not stored alike")
        }
        guard let place = Child.schema.names.firstIndex(of: column.name) else { return [] }
        var ids: [SQLValue] = []
        ids.reserveCapacity(parents.count)
        for parent in parents { ids.append(try key.stored(parent.id)) }
        let sql = try SQLText.select(query.children, and: .membership(StoredColumn(column), ids))
        var families: [SQLValue: [Child]] = [:]
        try self.query(try session.statement(sql)) { statement throws(RepositoryError) in
            while try statement.step() {
                families[try statement.value(at: place), default: []].append(try statement.item(Child.schema))
            }
        }
        return zip(parents, ids).map { WithChildren(parent: $0, children: families[$1] ?? []) }
    }
}
