import Signals

/// A set of staged changes that are saved together or discarded, such as the edits in a detail view.
///
/// For each changed item, the pad holds the state that it will store. Only `save(overwriting:)` writes. It stores all
/// changes in one transaction; unless it overwrites, it fails if the store no longer holds the original items.
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

    /// Creates an empty pad; `author` is the author of the transaction that saves it.
    public init(_ repository: any Repository, author: String? = nil) {
        self.repository = repository
        self.author = author
    }

    /// Whether the pad has no changes to save.
    public var isEmpty: Bool { staged.withLock { $0.changes.values.allSatisfy(\.isNoOp) } }

    /// Stages a new item.
    ///
    /// - Failure: `.encoding` when the item's id cannot be stored.
    public func create<Item: Entity>(_ item: Item) throws(RepositoryError) {
        try stage(item, id: item.id, from: nil)
    }

    /// Stages a change of an item; `original` is the item as it was read.
    ///
    /// If several changes of one item are staged, `save` uses the last state and the first original.
    /// - Failure: `.encoding` when a value of the original cannot be stored; `.misuse` when the original has another id
    ///   than the item.
    public func update<Item: Entity>(_ item: Item, from original: Item) throws(RepositoryError) {
        let key = try Item.schema.key
        guard try key.identity(of: item.id) == key.identity(of: original.id) else {
            throw .misuse(
                detail: "the item of \(Item.entityName) has the id \(item.id.displayText), but its original has "
                    + original.id.displayText)
        }
        try stage(item, id: item.id, from: original)
    }

    /// Stages the deletion of an item; `original` is the item as it was read.
    ///
    /// - Failure: `.encoding` when a value of the original cannot be stored.
    public func delete<Item: Entity>(_ original: Item) throws(RepositoryError) {
        try stage(nil, id: original.id, from: original)
    }

    /// Returns the staged state of the item with the given id; `nil` if no change or a deletion is staged for the item.
    public func item<Item: Entity>(_ type: Item.Type, id: Item.ID) throws(RepositoryError) -> Item? {
        let key = StagedKey(entity: ObjectIdentifier(type), id: try Item.schema.key.identity(of: id), number: 0)
        return staged.withLock { $0.changes[key] }?.item as? Item
    }

    /// Discards all staged changes.
    public func discard() {
        // The items are released outside the lock, because releasing them may run the program's code.
        let dropped = staged.withLock { staged in
            defer { (staged.changes, staged.saving) = ([:], []) }
            return staged.changes
        }
        _ = dropped
    }

    /// Stores all staged changes, all or none, in the order in which the items were first staged.
    ///
    /// - Parameter overwriting: Whether to overwrite items that another writer has changed, deleted or created in the
    ///   meantime.
    /// - Delivery: an empty value, once the changes are committed and the pad holds only changes that came during the
    ///   save; then the signal finishes.
    /// - Failure: `.conflict` with all items that another writer has changed since they were read; `.constraint`;
    ///   `.encoding`. Nothing is stored, and everything stays staged.
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
            // The save ends on commit, not when a sink receives the value, because a cancelled sink receives none.
            store.onCommit { [staged, stored] in
                let saved = staged.withLock { $0.endSaving(changes, stored) }
                // Releasing an item may run the program's code, which must not run on a database queue.
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
        let needsGeneratedKey = original == nil && item.map { schema.missingKeyIndex(of: $0) != nil } == true
        let name = FailedItem(entity: Item.entityName, id: id.displayText)
        let replaced = staged.withLock { staged -> StagedChange? in
            staged.count += 1
            // Items whose keys the store will generate are different items, although their ids are equal until then.
            if needsGeneratedKey { key.number = staged.count }
            let known = staged.changes[key]
            let change = StagedChange(
                name: name, number: known?.number ?? staged.count, version: staged.count,
                original: known.map { $0.original as? Item } ?? original, item: item, id: id)
            // A deletion cancels out a creation, unless a save in progress is storing the created item.
            staged.changes[key] = change.isNoOp && !staged.saving.contains(key) ? nil : change
            return known
        }
        _ = replaced
    }
}

private struct Staged {
    var changes: [StagedKey: StagedChange] = [:]
    var count = 0
    /// The keys that a save in progress is storing; after a failed save, they remain until the next save.
    var saving: Set<StagedKey> = []

    mutating func beginSaving() -> [StagedKey: StagedChange] {
        // Only one save runs at a time, so no-op changes, which were kept for an earlier save, can be removed.
        changes = changes.filter { !$0.value.isNoOp }
        saving = Set(changes.keys)
        return changes
    }

    /// Removes the saved changes, and returns them for release.
    ///
    /// A change that was staged during the save remains, and the stored item becomes its original.
    mutating func endSaving(
        _ saved: [StagedKey: StagedChange], _ stored: [StagedKey: (any Entity)?]
    ) -> [StagedChange] {
        saving = []
        var released: [StagedChange] = []
        for (key, change) in saved {
            guard var later = changes[key] else { continue }
            released.append(later)
            later.original = stored[key] ?? nil
            changes[key] = later.version == change.version || later.isNoOp ? nil : later
        }
        return released
    }
}

/// The identity of a staged item; `number` distinguishes items whose keys the store will generate.
private struct StagedKey: Hashable {
    let entity: ObjectIdentifier
    let id: SQLValue
    var number: Int
}

private struct StagedChange: Sendable {
    let name: FailedItem
    let number: Int
    let version: Int
    /// The item before the change; `nil` for a new item.
    var original: (any Entity)?
    /// The item to store; `nil` for a deletion.
    let item: (any Entity)?
    private let isStored: @Sendable (_ original: (any Entity)?, ReadTransaction) throws -> Bool
    /// Creates, updates or deletes the item, depending on whether the store has it; returns the stored item.
    let write: @Sendable (WriteTransaction) throws -> (any Entity)?

    /// Whether there is nothing to save, because the item was created and deleted again.
    var isNoOp: Bool { original == nil && item == nil }

    init<Item: Entity>(
        name: FailedItem, number: Int, version: Int, original: Item?, item: Item?, id: Item.ID
    ) {
        (self.name, self.number, self.version, self.original, self.item) = (name, number, version, original, item)
        isStored = { original, store in
            let current = try store.find(Item.self, id: id)
            guard let current, let original = original as? Item else { return current == nil && original == nil }
            return try Item.schema.areEqualWhenStored(original, current)
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

    /// Returns whether the store still holds the original item.
    func isCurrent(_ store: ReadTransaction) throws -> Bool { try isStored(original, store) }
}
