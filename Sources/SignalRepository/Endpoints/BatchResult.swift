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
        _ items: [Item], isEachKept: Bool = true, _ body: (Item) throws(RepositoryError) -> Success
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
                guard isEachKept, error.liesInItem, session.connection.isInTransaction else { throw error.at(index) }
                failed.append(BatchFailure(item: item, error: error.at(index)))
            }
        }
        return BatchResult(success: success, failed: failed)
    }

    /// Does something for each item, up to the first error.
    final func all<Item: Sendable, Success: Sendable>(
        _ items: [Item], _ body: (Item) throws(RepositoryError) -> Success
    ) throws(RepositoryError) -> [Success] {
        try each(items, isEachKept: false, body).success
    }
}

extension WriteTransaction {
    /// Writes many items independently, each as a statement does; an error that lies in the item is kept.
    func writeEach<Item: Entity>(
        _ kind: FixedStatement, _ items: [Item]
    ) throws(RepositoryError) -> BatchResult<Item, Item> {
        // What the store keeps of an item that is replaced has to be read.
        let isRead = kind != .insert && Item.schema.keepsTimes || Item.schema.isComputed
        guard !isRead, let bulk = try session.connection.bulk(kind, of: Item.self, isWhole: false) else {
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

    /// Hands each item over to be written in blocks.
    ///
    /// `refusal` makes the error of an item of what the engine reported, or of nothing where nothing was written.
    func each<Input: Sendable, Success: Sendable>(
        _ items: [Input], by bulk: any StoreBulk, _ statement: any StoreStatement,
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
                if let error = errors.values.first(where: { !$0.liesInItem }) { throw error }
                try checkUsable()
            }
            for (index, item) in items.enumerated() {
                do throws(RepositoryError) {
                    written[index] = try add(item, items[(index + 1)...])
                    block.append(index)
                } catch {
                    guard error.liesInItem else { throw error }
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
    /// Whether another item could succeed: the error concerns this item, not the store.
    var liesInItem: Bool {
        switch self {
        case .notFound, .constraint, .encoding, .decoding, .tooBig: true
        default: false
        }
    }
}
