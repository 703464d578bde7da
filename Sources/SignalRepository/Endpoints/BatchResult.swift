public import Foundation
/// The outcome for many items, each of which could fail independently.
public struct BatchResult<Success: Sendable, Item: Sendable>: Sendable {
    /// The successes, in the order given.
    public let success: [Success]
    /// The items that failed, in the order given, each with its error.
    public let failed: [BatchFailure<Item>]

    /// Combines successes and failures.
    public init(success: [Success], failed: [BatchFailure<Item>]) {
        self.success = success
        self.failed = failed
    }
}

/// One of many items that failed, and why.
public struct BatchFailure<Item: Sendable>: Error {
    /// The item, or its id, as given.
    public let item: Item
    /// Why it failed.
    public let error: RepositoryError

    /// Combines an item and its error.
    public init(item: Item, error: RepositoryError) {
        self.item = item
        self.error = error
    }
}

extension BatchResult: Equatable where Success: Equatable, Item: Equatable {}
extension BatchResult: Hashable where Success: Hashable, Item: Hashable {}
extension BatchFailure: Equatable where Item: Equatable {}
extension BatchFailure: Hashable where Item: Hashable {}

extension BatchFailure: CustomStringConvertible, LocalizedError {
    /// What the error prints.
    public var description: String { error.description }
    /// What the error prints.
    public var errorDescription: String? { error.errorDescription }
    /// What can be done about the error.
    public var recoverySuggestion: String? { error.recoverySuggestion }
}

extension ReadTransaction {
    /// Does something for each item independently; an error caused by the item itself is kept, any other is thrown.
    final func each<Item: Sendable, Success: Sendable>(
        _ items: [Item], keeping isKept: (RepositoryError) -> Bool = { $0.liesInItem },
        _ body: (Item) throws(RepositoryError) -> Success
    ) throws(RepositoryError) -> BatchResult<Success, Item> {
        try checkUsable()
        var success: [Success] = []
        var failed: [BatchFailure<Item>] = []
        success.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            do {
                success.append(try body(item))
            } catch {
                // After an error that undid the whole transaction, the items before it are lost too.
                guard isKept(error), session.connection.isInTransaction else { throw error.at(index) }
                failed.append(BatchFailure(item: item, error: error.at(index)))
            }
        }
        return BatchResult(success: success, failed: failed)
    }

    /// Does something for each item, up to the first error.
    final func all<Item: Sendable, Success: Sendable>(
        _ items: [Item], _ body: (Item) throws(RepositoryError) -> Success
    ) throws(RepositoryError) -> [Success] {
        try each(items, keeping: { _ in false }, body).success
    }
}

extension RepositoryError {
    /// Whether another item could succeed: the error concerns this item, not the store.
    var liesInItem: Bool {
        switch self {
        case .notFound, .constraint, .encoding, .decoding, .tooBig: true
        default: false
        }
    }
}
