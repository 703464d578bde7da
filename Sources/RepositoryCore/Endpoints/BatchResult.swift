public import Foundation
/// The results for many items, each of which succeeds or fails independently.
public struct BatchResult<Success: Sendable, Item: Sendable>: Sendable {
    /// The successful results, in the order of the input.
    public let success: [Success]
    /// The items that failed, in the order of the input, each with its error.
    public let failed: [BatchFailure<Item>]

    /// Combines successes and failures.
    public init(success: [Success], failed: [BatchFailure<Item>]) {
        self.success = success
        self.failed = failed
    }
}

/// An item that failed, with its error.
public struct BatchFailure<Item: Sendable>: Error {
    /// The item or id that was passed to the endpoint, or the index of a row in the result of a query.
    public let item: Item
    /// The error of the item.
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
    /// The description of the error.
    public var description: String { error.description }
    /// The localized description of the error.
    public var errorDescription: String? { error.errorDescription }
    /// The recovery suggestion of the error.
    public var recoverySuggestion: String? { error.recoverySuggestion }
}

extension ReadTransaction {
    /// Calls `body` for each item, and throws its first error; with `collectsErrors`, errors of one item are collected.
    final func each<Item: Sendable, Success: Sendable>(
        _ items: [Item], collectsErrors: Bool = true, _ body: (Item) throws(RepositoryError) -> Success
    ) throws(RepositoryError) -> BatchResult<Success, Item> {
        try checkUsable()
        var success: [Success] = []
        var failed: [BatchFailure<Item>] = []
        success.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            do {
                success.append(try body(item))
            } catch {
                // An error that ended the transaction is thrown, because it also undid the writes of earlier items.
                guard collectsErrors, error.concernsOneItem, session.connection.isInTransaction else {
                    throw error.at(index)
                }
                failed.append(BatchFailure(item: item, error: error.at(index)))
            }
        }
        return BatchResult(success: success, failed: failed)
    }

    /// Calls `body` for each item, up to the first error, which it throws.
    final func all<Item: Sendable, Success: Sendable>(
        _ items: [Item], _ body: (Item) throws(RepositoryError) -> Success
    ) throws(RepositoryError) -> [Success] {
        try each(items, collectsErrors: false, body).success
    }
}

extension WriteTransaction {
    /// Writes many items independently, in blocks if the engine can, and collects errors that concern one item.
    func writeEach<Item: Entity>(
        _ kind: FixedStatement, _ items: [Item]
    ) throws(RepositoryError) -> BatchResult<Item, Item> {
        // Blocks are not used if each write must be followed by a read of the values that the store sets: computed
        // columns or, in an update or upsert, managed times.
        let isRead = kind != .insert && Item.schema.hasManagedTimes || Item.schema.isComputed
        guard !isRead, let bulk = try session.connection.bulk(kind, of: Item.self, isAtomic: false) else {
            return try each(items) { item throws(RepositoryError) in try store(kind, item) }
        }
        let statements = try session.statements(of: Item.self)
        let statement = try statements[kind].base
        return try each(items, by: bulk, statement) { item, following throws(RepositoryError) in
            try statements.prove(with: item)
            return try kind == .update ? add(item, to: bulk) : add(item, before: following, to: bulk)
        } refusal: { error, item throws(RepositoryError) in
            if let error { return refusal(error, of: item) }
            let isMissing = kind == .update
            return isMissing ? try unchanged(kind, Item.self, id: item.id) : ignored(Item.self, id: item.id, statement)
        }
    }

    /// Writes items in blocks, and collects the errors that concern one item.
    ///
    /// `refusal` makes an item's error from the engine's error, or from `nil` if the statement wrote nothing.
    func each<Input: Sendable, Success: Sendable>(
        _ items: [Input], by bulk: any BulkWriter, _ statement: any StoreStatement,
        _ add: (Input, ArraySlice<Input>) throws(RepositoryError) -> Success,
        refusal: (RepositoryError?, Input) throws(RepositoryError) -> RepositoryError
    ) throws(RepositoryError) -> BatchResult<Success, Input> {
        try checkUsable()
        var (written, errors): ([Int: Success], [Int: RepositoryError]) = ([:], [:])
        var block: [Int] = []
        try change(statement) { base throws(RepositoryError) in
            func store() throws(RepositoryError) {
                for failure in try bulk.store() {
                    let index = block[failure.index]
                    let error = failure.error.map { session.connection.naming($0, of: base) }
                    errors[index] = try refusal(error, items[index]).at(index)
                }
                block.removeAll(keepingCapacity: true)
                if let error = errors.values.first(where: { !$0.concernsOneItem }) { throw error }
                try checkUsable()
            }
            for (index, item) in items.enumerated() {
                do throws(RepositoryError) {
                    written[index] = try add(item, items[(index + 1)...])
                    block.append(index)
                } catch {
                    guard error.concernsOneItem else { throw error }
                    errors[index] = try refusal(error, item).at(index)
                }
                if bulk.isFull { try store() }
            }
            try store()
        }
        return BatchResult(
            success: items.indices.compactMap { errors[$0] == nil ? written[$0] : nil },
            failed: errors.sorted { $0.key < $1.key }.map { BatchFailure(item: items[$0.key], error: $0.value) })
    }
}

extension RepositoryError {
    /// Whether the error concerns one item and not the store, so that other items can succeed.
    var concernsOneItem: Bool {
        switch self {
        case .notFound, .constraint, .encoding, .decoding, .tooBig: true
        default: false
        }
    }
}
