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
    public var isEmpty: Bool { staged.withLock { $0.changes.values.allSatisfy(\.isNothing) } }

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
            throw .misuse(
                detail: "an item of \(Item.entityName) with the id \(item.id.spelled) is not a change of "
                    + original.id.spelled)
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
            defer { (staged.changes, staged.saving) = ([:], []) }
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
            let changes = staged.withLock { $0.beginSaving() }
            let ordered = changes.sorted { $0.value.number < $1.value.number }
            var conflicts: [FailedItem] = []
            for (_, change) in ordered where try !overwriting && !change.isCurrent(store) {
                conflicts.append(change.name)
            }
            if !conflicts.isEmpty { throw RepositoryError.conflict(items: conflicts) }
            var stored: [StagedKey: (any Entity)?] = [:]
            for (key, change) in ordered { stored[key] = .some(try change.write(store)) }
            // With the commit and not with its delivery, which a sink may not wait for.
            store.onCommit { [staged, stored] in
                let saved = staged.withLock { $0.endSaving(changes, stored) }
                // Items are not released on a database queue.
                Delivery.schedule { withExtendedLifetime((saved, changes, stored)) {} }
            }
        }
    }
}

extension ScratchPad {
    private func stage<Item: Entity>(_ item: Item?, id: Item.ID, from original: Item?) throws(RepositoryError) {
        let schema = Item.schema
        if let original { _ = try schema.values(of: original) }
        var key = StagedKey(entity: ObjectIdentifier(Item.self), id: try schema.key.identity(of: id), number: 0)
        let isUngiven = original == nil && item.map { schema.ungivenKey(of: $0) != nil } == true
        let name = FailedItem(entity: Item.entityName, id: id.spelled)
        let replaced = staged.withLock { staged -> StagedChange? in
            staged.count += 1
            // Items without a number are each one of their own.
            if isUngiven { key.number = staged.count }
            let known = staged.changes[key]
            let change = StagedChange(
                name: name, number: known?.number ?? staged.count, version: staged.count,
                original: known.map { $0.original as? Item } ?? original, item: item, id: id)
            // Created and deleted again: nothing has happened, unless it is being created just now.
            staged.changes[key] = change.isNothing && !staged.saving.contains(key) ? nil : change
            return known
        }
        _ = replaced
    }
}

private struct Staged {
    var changes: [StagedKey: StagedChange] = [:]
    var count = 0
    /// What the transaction stores that is in progress, or was the last one if it has failed.
    var saving: Set<StagedKey> = []

    mutating func beginSaving() -> [StagedKey: StagedChange] {
        // Of saves only one is in progress, and what an earlier one kept for its end is over.
        changes = changes.filter { !$0.value.isNothing }
        saving = Set(changes.keys)
        return changes
    }

    /// Forgets what has been stored, and returns what is to be released; what was staged meanwhile is a change of that.
    mutating func endSaving(
        _ saved: [StagedKey: StagedChange], _ stored: [StagedKey: (any Entity)?]
    ) -> [StagedChange] {
        saving = []
        var released: [StagedChange] = []
        for (key, change) in saved {
            guard var later = changes[key] else { continue }
            released.append(later)
            later.original = stored[key] ?? nil
            changes[key] = later.version == change.version || later.isNothing ? nil : later
        }
        return released
    }
}

/// An item of an entity; the number tells items apart whose key the store will give.
private struct StagedKey: Hashable {
    let entity: ObjectIdentifier
    let id: SQLValue
    var number: Int
}

private struct StagedChange: Sendable {
    let name: FailedItem
    let number: Int
    let version: Int
    /// The item that the change was made from; `nil` for a new one.
    var original: (any Entity)?
    /// The item; `nil` when it is to be deleted.
    let item: (any Entity)?
    private let isStored: @Sendable (_ original: (any Entity)?, ReadTransaction) throws -> Bool
    /// Stores the item, or deletes it, whatever the store has; returns the item as it is stored.
    let write: @Sendable (WriteTransaction) throws -> (any Entity)?

    /// Whether there is nothing to do: the item was new, and is not wanted.
    var isNothing: Bool { original == nil && item == nil }

    init<Item: Entity>(
        name: FailedItem, number: Int, version: Int, original: Item?, item: Item?, id: Item.ID
    ) {
        (self.name, self.number, self.version, self.original, self.item) = (name, number, version, original, item)
        isStored = { original, store in
            let current = try store.find(Item.self, id: id)
            guard let current, let original = original as? Item else { return current == nil && original == nil }
            return try Item.schema.areStoredAlike(original, current)
        }
        write = { store in
            switch (item, try store.find(Item.self, id: id) != nil) {
            case (let item?, true): return try store.update(item)
            case (let item?, false): return try store.create(item)
            case (nil, true): try store.delete(Item.self, id: id)
            case (nil, false): break
            }
            return nil
        }
    }

    /// Whether the store has the item that the change was made from.
    func isCurrent(_ store: ReadTransaction) throws -> Bool { try isStored(original, store) }
}
