public import Signals

extension Repository {
    /// Stores an item, or replaces the stored item with the same id.
    ///
    /// ```swift
    /// let stored = try await repository.upsert(movie).value()
    /// ```
    /// - Delivery: the item, once it is committed; then the signal finishes.
    /// - Failure: `.constraint` when a rule other than the unique id is broken; `.encoding`.
    public func upsert<Item: Entity>(_ item: Item) -> Signal<Item, RepositoryError> {
        signal(for: .write(oneStatement: RepositoryCall("upsert", item)) { store in try store.upsert(item) })
    }

    /// Stores many items independently, in one transaction, and reports the items that fail.
    ///
    /// - Delivery: one `BatchResult` with the stored items, and with the failed items and their errors; then the signal
    ///   finishes.
    /// - Failure: only errors that concern the whole store: `.full`, `.busy`, `.io` and so on. Nothing is stored.
    public func upsert<Item: Entity>(_ items: [Item]) -> Signal<BatchResult<Item, Item>, RepositoryError> {
        signal(for: .write(RepositoryCall("upsert", items)) { store in try store.upsert(items) })
    }

    /// Stores many items, all or none.
    ///
    /// - Delivery: the items, once they are committed; then the signal finishes.
    /// - Failure: the error of the first item that fails. Nothing is stored.
    public func upsertAtomically<Item: Entity>(_ items: [Item]) -> Signal<[Item], RepositoryError> {
        signal(
            for: .write(RepositoryCall("upsertAtomically", items)) { store in
                try store.upsertAtomically(items)
            })
    }

    /// Stores an item, or updates the stored item that has the same values in a unique set of columns.
    ///
    /// ```swift
    /// let movie = try await repository.upsert(movie, on: [\.title, \.releaseDate], updating: [\.boxOffice]).value()
    /// ```
    /// An existing item keeps its id and every column that `updating` does not list; if `updating` is empty, the item
    /// is unchanged.
    /// - Delivery: the stored item, once it is committed; then the signal finishes.
    /// - Failure: `.misuse` unless the columns are the key, a declared unique set or one unique column; `.constraint`
    ///   when another rule is broken; `.encoding`.
    public func upsert<Item: Entity>(
        _ item: Item, on unique: Schema<Item>.Paths, updating paths: Schema<Item>.Paths
    ) -> Signal<Item, RepositoryError> {
        signal(
            for: .write(oneStatement: RepositoryCall("upsert", item)) { store in
                try store.upsert(item, on: unique, updating: paths)
            })
    }
}

extension WriteTransaction {
    /// Stores an item, or replaces the stored item with the same id.
    ///
    /// - Failure: `.constraint` when a rule other than the unique id is broken; `.encoding`.
    @discardableResult
    public func upsert<Item: Entity>(_ item: Item) throws(RepositoryError) -> Item {
        try checkUsable()
        return try store(.upsert, item)
    }

    /// Stores many items independently, and reports the items that fail.
    @discardableResult
    public func upsert<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> BatchResult<Item, Item> {
        try writeEach(.upsert, items)
    }

    /// Stores many items, all or none.
    @discardableResult
    public func upsertAtomically<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> [Item] {
        try transaction { store in
            try store.all(items) { item throws(RepositoryError) in try store.upsert(item) }
        }
    }

    /// Stores an item, or updates the stored item that has the same values in a unique set of columns; returns the
    /// result.
    ///
    /// - Failure: `.misuse` unless the columns are the key, a declared unique set or one unique column; `.constraint`
    ///   when another rule is broken; `.encoding`.
    @discardableResult
    public func upsert<Item: Entity>(
        _ item: Item, on unique: Schema<Item>.Paths, updating paths: Schema<Item>.Paths
    ) throws(RepositoryError) -> Item {
        try checkUsable()
        let columns = try unique.map { path throws(RepositoryError) in try Item.schema.column(for: path) }
        try Item.schema.checkUnique(columns)
        let updated = try paths.map { path throws(RepositoryError) in try Item.schema.column(for: path) }
        for column in updated { try column.checkChangeable(preservingTimes: preservesTimes) }
        let times = updated.isEmpty ? [] : Item.schema.columns.filter { $0.managedValue == .updated }
        try session.statements(of: Item.self).prove(with: item)
        let item = try asStored(item)
        return try writeReturning(item) { () throws(RepositoryError) in
            try session.dialect.upsert(
                item, on: columns,
                updating: updated + times.filter { column in !updated.contains { $0.name == column.name } })
        }
    }
}
