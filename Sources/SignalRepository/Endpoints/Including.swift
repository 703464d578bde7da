public import Signals

extension Repository {
    /// Fetches items, each with what the query includes: one statement for each, of one state of the store.
    ///
    /// ```swift
    /// let teams = Team.all.including(many: Player.where { $0.rating > 3 }, by: \.teamID)
    ///     .including(parent: Person.all, by: \.coachID)
    /// for team in try await repository.fetch(teams).value() {
    ///     print(team.name, team.included?.name ?? "nobody", team.item.included.count)  // Arsenal Ada 11
    /// }
    /// ```
    /// - Delivery: one array, in the query's order; then it finishes.
    /// - Failure: as `fetch(_:)` of each entity; `.misuse` for a property that does not store the ids of the other, and
    ///   for a limit of what is counted or goes between.
    public func fetch<Root, Output>(_ query: IncludingQuery<Root, Output>) -> Signal<[Output], RepositoryError> {
        signal(
            for: .read(oneStatement: RepositoryCall("fetch", tables: query.tables)) { store in try store.fetch(query) })
    }

    /// Fetches the first item of a query, with what it includes.
    ///
    /// - Delivery: the item, or `nil` when the query has none; then it finishes.
    /// - Failure: as `fetch(_:)`.
    public func first<Root, Output>(_ query: IncludingQuery<Root, Output>) -> Signal<Output?, RepositoryError> {
        signal(
            for: .read(oneStatement: RepositoryCall("first", tables: query.tables)) { store in try store.first(query) })
    }

    /// Fetches items, each with what the query includes, now and whenever they change.
    ///
    /// - Delivery: the current array, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish. A commit costs what it changed, except with `of:`.
    /// - Failure: as `fetch(_:)`, which ends it; `.closed` when the repository is closed.
    public func fetchSubscription<Root, Output: Equatable>(
        _ query: IncludingQuery<Root, Output>
    ) -> Signal<[Output], RepositoryError> {
        signal(for: .values(RepositoryCall("fetchSubscription", tables: query.tables), query.asLiveQuery))
    }

    /// Fetches the first item of a query with what it includes, now and whenever it is another or has changed.
    ///
    /// - Delivery: the current item, or `nil` when the query has none, then each different one, in commit order; a slow
    ///   sink gets only the latest. It does not finish. A commit costs what it changed, except with `of:`.
    /// - Failure: as `fetch(_:)`, which ends it; `.closed` when the repository is closed.
    public func firstSubscription<Root, Output: Equatable>(
        _ query: IncludingQuery<Root, Output>
    ) -> Signal<Output?, RepositoryError> {
        let live = query.one.asLiveQuery
        return signal(for: .values(RepositoryCall("firstSubscription", tables: query.tables), live)).map { $0.first }
    }
}

extension IncludingQuery where Output: Equatable {
    /// The result as it is followed.
    fileprivate var asLiveQuery: LiveQuery<[Output]> {
        LiveQuery(isSame: { $0 == $1 && areAllTextsSame($0, $1) }, { store in try store.fetch(self) })
            .following(
                query, try? links(),
                KeyedForm(
                    complete: complete, isSame: { $0 == $1 && areTextsSame($0, $1) }, make: { $0.array }))
    }
}

extension ReadTransaction {
    /// Fetches items, each with what the query includes.
    ///
    /// - Failure: as `Repository.fetch(_:)`.
    public func fetch<Root, Output>(_ query: IncludingQuery<Root, Output>) throws(RepositoryError) -> [Output] {
        try query.complete(self, try fetch(query.query))
    }

    /// Fetches the first item of a query, with what it includes; `nil` when it has none.
    ///
    /// - Failure: as `Repository.fetch(_:)`.
    public func first<Root, Output>(_ query: IncludingQuery<Root, Output>) throws(RepositoryError) -> Output? {
        try fetch(query.one).first
    }
}
