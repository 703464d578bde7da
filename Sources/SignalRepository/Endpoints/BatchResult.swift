/// What became of many items of which each could fail on its own.
public struct BatchResult<Success: Sendable, Item: Sendable>: Sendable {
    /// What succeeded, in the order in which it was given.
    public let success: [Success]
    /// The items that failed, in the order in which they were given, each with its error.
    public let failed: [BatchFailure<Item>]

    /// Puts successes and failures together.
    public init(success: [Success], failed: [BatchFailure<Item>]) {
        self.success = success
        self.failed = failed
    }
}

/// An item of many that failed, and why.
public struct BatchFailure<Item: Sendable>: Error {
    /// The item, or its id, as it was given.
    public let item: Item
    /// What was wrong with it.
    public let error: RepositoryError

    /// Puts an item and its error together.
    public init(item: Item, error: RepositoryError) {
        self.item = item
        self.error = error
    }
}

extension ReadTransaction {
    /// Does something for each item on its own; an error that lies in the item itself is kept, any other is thrown.
    final func each<Item: Sendable, Success: Sendable>(
        _ items: [Item], keeping isKept: (RepositoryError) -> Bool = { $0.liesInItem },
        _ body: (Item) throws(RepositoryError) -> Success
    ) throws(RepositoryError) -> BatchResult<Success, Item> {
        try checkUsable()
        var success: [Success] = []
        var failed: [BatchFailure<Item>] = []
        success.reserveCapacity(items.count)
        for (place, item) in items.enumerated() {
            do {
                success.append(try body(item))
            } catch {
                // After an error that undid the whole transaction, the items before it are gone too.
                guard isKept(error), session.connection.isInTransaction else { throw error }
                failed.append(BatchFailure(item: item, error: error.at(place)))
            }
        }
        return BatchResult(success: success, failed: failed)
    }

    /// Does something for each item, up to the first error.
    final func all<Item, Success>(
        _ items: [Item], _ body: (Item) throws(RepositoryError) -> Success
    ) throws(RepositoryError) -> [Success] {
        try checkUsable()
        var success: [Success] = []
        success.reserveCapacity(items.count)
        for (place, item) in items.enumerated() {
            do {
                success.append(try body(item))
            } catch {
                throw error.at(place)
            }
        }
        return success
    }
}

extension RepositoryError {
    /// Whether another item could do better: the error says something about this one, not about the store.
    var liesInItem: Bool {
        switch self {
        case .notFound, .constraint, .encoding, .decoding, .tooBig: true
        default: false
        }
    }
}
