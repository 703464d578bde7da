import Signals

/// Changes that are made aside, and then saved together or dropped: what a detail view works on.
///
/// The pad holds one state of each item: the one it will be stored in. Nothing is written before `save(overwriting:)`,
/// which stores all of it in one transaction, if the store still holds what the changes were made from.
///
/// ```swift
/// let pad = ScratchPad(repository)
/// var edited = movie
/// edited.title = "Fargo (1996)"
/// try pad.update(edited, from: movie)
/// try pad.create(movies[0])
/// try await pad.save().value()
/// print(pad.isEmpty)  // true
/// ```
/// A pad can be used from any thread.
public final class ScratchPad: Sendable {
    private let repository: any Repository
    private let author: String?
    private let staged = Lock(Staged())

    /// Creates an empty pad; `author` is that of the transaction that saves it.
    public init(_ repository: any Repository, author: String? = nil) {
        self.repository = repository
        self.author = author
    }

    /// Whether there is nothing to save.
    public var isEmpty: Bool { staged.withLock { $0.changes.isEmpty } }

    /// Stages a new item.
    ///
    /// - Failure: `.encoding` when its id cannot be stored.
    public func create<Item: Entity>(_ item: Item) throws(RepositoryError) {
        try stage(item, id: item.id, from: nil)
    }

    /// Stages a change of an item; `original` is the item as it was read.
    ///
    /// Of several changes of one item the last counts, and the first original.
    /// - Failure: `.encoding` when a value of the original cannot be stored; `.misuse` when it has another id.
    public func update<Item: Entity>(_ item: Item, from original: Item) throws(RepositoryError) {
        let key = try Item.schema.key
        guard try key.identity(of: item.id) == key.identity(of: original.id) else {
            throw .misuse(detail: "an item of \(Item.entityName) with the id \(item.id) is no change of \(original.id)")
        }
        try stage(item, id: item.id, from: original)
    }

    /// Stages the deletion of an item; `original` is the item as it was read.
    ///
    /// - Failure: `.encoding` when a value of the original cannot be stored.
    public func delete<Item: Entity>(_ original: Item) throws(RepositoryError) {
        try stage(nil, id: original.id, from: original)
    }

    /// Returns the item with an id as it is staged; `nil` when nothing of it is, or its deletion.
    public func item<Item: Entity>(_ type: Item.Type, id: Item.ID) throws(RepositoryError) -> Item? {
        let key = StagedKey(entity: ObjectIdentifier(type), id: try Item.schema.key.identity(of: id), number: 0)
        return staged.withLock { $0.changes[key] }?.item as? Item
    }

    /// Drops everything that is staged.
    public func discard() {
        // Released after the lock is.
        let dropped = staged.withLock { staged in
            defer { staged.changes = [:] }
            return staged.changes
        }
        _ = dropped
    }

    /// Stores everything that is staged, in the order in which it was staged first, all or nothing.
    ///
    /// - Parameter overwriting: Whether items that somebody else has changed, deleted or created meanwhile are stored
    ///   all the same.
    /// - Delivery: an empty value, once it is committed, and the pad is empty but for what was staged meanwhile; then
    ///   it finishes.
    /// - Failure: `.conflict` with all items that are no longer as they were; `.constraint`; `.encoding`. Nothing is
    ///   stored, and everything stays staged.
    public func save(overwriting: Bool = false) -> Signal<Void, RepositoryError> {
        repository.transaction(author: author) { [self] store in
            let changes = staged.withLock { $0.changes }
            let ordered = changes.values.sorted { $0.number < $1.number }
            var conflicts: [FailedItem] = []
            for change in ordered where try !overwriting && !change.isCurrent(store) { conflicts.append(change.name) }
            if !conflicts.isEmpty { throw RepositoryError.conflict(items: conflicts) }
            for change in ordered { try change.write(store) }
            return changes
        }
        .map { [self] (saved: [StagedKey: StagedChange]) in
            staged.withLock { staged in
                for (key, change) in saved where staged.changes[key]?.version == change.version {
                    staged.changes[key] = nil
                }
            }
        }
    }
}

extension ScratchPad {
    private func stage<Item: Entity>(_ item: Item?, id: Item.ID, from original: Item?) throws(RepositoryError) {
        let schema = Item.schema
        let base = try original.map { item throws(RepositoryError) in try schema.values(of: item) }
        var key = StagedKey(entity: ObjectIdentifier(Item.self), id: try schema.key.identity(of: id), number: 0)
        let isUngiven = original == nil && item.map { schema.ungivenKey(of: $0) != nil } == true
        let name = FailedItem(entity: Item.entityName, id: "\(id)")
        let replaced = staged.withLock { staged -> StagedChange? in
            staged.count += 1
            // Items without a number are each one of their own.
            if isUngiven { key.number = staged.count }
            let known = staged.changes[key]
            let change = StagedChange(
                name: name, number: known?.number ?? staged.count, version: staged.count,
                base: known.map(\.base) ?? base, item: item, id: id)
            // Created and deleted again: nothing has happened.
            staged.changes[key] = change.base == nil && item == nil ? nil : change
            return known
        }
        _ = replaced
    }
}

/// What a pad holds.
private struct Staged {
    var changes: [StagedKey: StagedChange] = [:]
    var count = 0
}

/// An item of an entity; the number tells items apart whose key the store will give.
private struct StagedKey: Hashable {
    let entity: ObjectIdentifier
    let id: SQLValue
    var number: Int
}

/// The state of an item that the pad will store, and the one that it was made from.
private struct StagedChange: Sendable {
    let name: FailedItem
    let number: Int
    let version: Int
    /// The stored values that the change was made from; `nil` for a new item.
    let base: [SQLValue]?
    /// The item; `nil` when it is to be deleted.
    let item: (any Entity)?
    /// The values in the store; `nil` when there is no such item.
    private let current: @Sendable (ReadTransaction) throws -> [SQLValue]?
    private let store: @Sendable (WriteTransaction, _ isThere: Bool) throws -> Void

    init<Item: Entity>(
        name: FailedItem, number: Int, version: Int, base: [SQLValue]?, item: Item?, id: Item.ID
    ) {
        (self.name, self.number, self.version, self.base, self.item) = (name, number, version, base, item)
        current = { store in try store.find(Item.self, id: id).map { try Item.schema.values(of: $0) } }
        self.store = { store, isThere in
            switch (item, isThere) {
            case (let item?, true): try store.update(item)
            case (let item?, false): try store.create(item)
            case (nil, true): try store.delete(Item.self, id: id)
            case (nil, false): break
            }
        }
    }

    func isCurrent(_ store: ReadTransaction) throws -> Bool { try current(store) == base }

    func write(_ store: WriteTransaction) throws { try self.store(store, try current(store) != nil) }
}
