public import Signals

extension Repository {
    /// Stores the new items that a signal delivers, portion by portion, each in its own transaction.
    ///
    /// ```swift
    /// let token = repository.insert(from: Signal<Movie, Never>.sequence(movies), batch: 500)
    ///     .sink(onValue: { print("\($0) stored") }, onCompletion: { print($0) })
    /// ```
    /// A portion is requested when the previous one is committed, so the signal is never ahead of the store and memory
    /// holds one portion. All of it as one transaction is not possible: the store would be locked for as long as the
    /// signal takes. A portion behaves like `insert(_:)`: one notification, all or none.
    ///
    /// - Delivery: after each portion, the number of items stored so far; it finishes after the last one. It begins
    ///   when a sink attaches; a sink that requests no numbers holds nothing up, and the numbers wait for it.
    /// - Failure: `.constraint` when an item's id is taken or another rule is broken; `.encoding`; a `RepositoryError`
    ///   of the signal, as it is, any other as `.sourceFailed(stored:by:)`, which says how many items stay. Earlier
    ///   portions are kept, the one being collected or stored is not. The error's `item` gives its index among all
    ///   items of the signal.
    /// - Complexity: O(*n*) in the number of items; `batch` of them in memory.
    public func insert<Item: Entity, Failure: Error>(
        from items: Signal<Item, Failure>, batch: Int = 1_000
    ) -> Signal<Int, RepositoryError> {
        guard batch > 0 else { return refused(.misuse(detail: "a portion needs one item or more, not \(batch)")) }
        // The failure is a value on its way here, so that it comes after the portions that it must not overtake.
        return items.collect(batch).materialize()
            .setFailureType(to: RepositoryError.self)
            .scan(Portion<Item, Failure>(start: 0, event: .value([]))) { last, event in last.next(event) }
            .concatMap { portion -> Signal<Int, RepositoryError> in
                switch portion.event {
                case .value(let items):
                    insert(items).mapError { error in
                        error.item?.index.map { error.at(portion.start + $0) } ?? error
                    }
                case .completion(.finished): .empty()
                case .completion(.failure(let error as RepositoryError)): .fail(error)
                case .completion(.failure(let error)):
                    .fail(.sourceFailed(stored: portion.start, by: ThrownError(error)))
                }
            }
            .scan(0) { sum, count in sum + count }
    }
}

/// Some items of a signal, or its end, and how many items came before.
private struct Portion<Item: Entity, Failure: Error>: Sendable {
    let start: Int
    let event: SignalEvent<[Item], Failure>

    func next(_ event: SignalEvent<[Item], Failure>) -> Portion {
        guard case .value(let items) = self.event else { return self }
        return Portion(start: start + items.count, event: event)
    }
}
