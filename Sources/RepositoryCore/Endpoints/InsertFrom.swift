public import Signals

extension Repository {
    /// Stores the new items that a signal delivers, batch by batch, each batch in its own transaction.
    ///
    /// ```swift
    /// let token = repository.insert(from: Signal<Movie, Never>.sequence(movies), batch: 500)
    ///     .sink(onValue: { print("\($0) stored") }, onCompletion: { print($0) })
    /// ```
    /// The next batch is requested when the previous one is committed, so the source signal never runs ahead of the
    /// store, and only one batch is held in memory. A single transaction for all batches would lock the store for as
    /// long as the signal takes. Each batch behaves like `insert(_:)`: it is stored as a whole or not at all, with one
    /// notification.
    ///
    /// - Delivery: after each batch, the number of items stored so far; after the last batch, the signal finishes. The
    ///   insertion begins when a sink attaches, even without demand; each number waits until the sink requests it.
    /// - Failure: `.constraint` when an item's id is taken or another rule is broken; `.encoding`; a `RepositoryError`
    ///   of the signal, unchanged; any other error as `.sourceFailed(stored:by:)`, with the number of stored items.
    ///   Earlier batches remain stored; the batch in progress is not stored. The error's `item` gives the index of the
    ///   failed item among all items of the signal.
    /// - Complexity: O(*n*) in the number of items; at most `batch` items are held in memory.
    public func insert<Item: Entity, Failure: Error>(
        from items: Signal<Item, Failure>, batch: Int = 1_000
    ) -> Signal<Int, RepositoryError> {
        guard batch > 0 else { return refused(.misuse(detail: "the batch size must be at least 1, not \(batch)")) }
        // A failure is passed on as a value, so that it cannot overtake the batches before it.
        return items.collect(batch).materialize()
            .setFailureType(to: RepositoryError.self)
            .scan(Batch<Item, Failure>(start: 0, event: .value([]))) { last, event in last.next(event) }
            .concatMap { batch -> Signal<Int, RepositoryError> in
                switch batch.event {
                case .value(let items):
                    insert(items).mapError { error in
                        error.item?.index.map { error.at(batch.start + $0) } ?? error
                    }
                case .completion(.finished): .empty()
                case .completion(.failure(let error as RepositoryError)): .fail(error)
                case .completion(.failure(let error)):
                    .fail(.sourceFailed(stored: batch.start, by: ThrownError(error)))
                }
            }
            .scan(0) { sum, count in sum + count }
    }
}

/// A batch of items, or the end of the source signal, with the number of items in the batches before it.
private struct Batch<Item: Entity, Failure: Error>: Sendable {
    let start: Int
    let event: SignalEvent<[Item], Failure>

    func next(_ event: SignalEvent<[Item], Failure>) -> Batch {
        guard case .value(let items) = self.event else { return self }
        return Batch(start: start + items.count, event: event)
    }
}
