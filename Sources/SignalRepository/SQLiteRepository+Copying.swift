public import Signals

// Copying from another file, which a server does not support.
extension SQLiteRepository {
    /// Copies the items of the given entities from another file into the store, in one transaction: all or nothing.
    ///
    /// ```swift
    /// let count = try await repository.copy(Movie.self, from: "archive.sqlite", existing: .kept).value()
    /// print(count)  // 1240
    /// ```
    /// The source is a store of this library or a file that another program has made. Its tables are checked as when it
    /// is opened for reading. The source is not changed, and concurrent writes to it are not copied. A source that is a
    /// store of this library must have the same migrations as this store. Columns that an entity does not declare are
    /// left out. All other values are copied as they are stored, including managed times and generated keys. Keys that
    /// this store generates later are greater than the copied keys.
    ///
    /// An entity is copied after the entities that it refers to; circular foreign keys are checked at the end. Triggers
    /// run as for any other write. Live signals and change signals are notified once.
    ///
    /// - Parameters:
    ///   - entities: the entities whose items are copied.
    ///   - source: the path of the other file.
    ///   - existing: the policy for items whose ids the store already has.
    ///   - access: `.readOnly`, or `.immutable` for a file that no program changes.
    ///   - key: the key of an encrypted source.
    ///   - author: the author of the change.
    /// - Delivery: the number of stored items, once they are committed, off the database queues; then it finishes.
    ///   Cancelling before the commit stores nothing.
    /// - Failure: `.constraint` when the store already has an id or another rule is broken, and `.decoding` when a row
    ///   cannot be decoded, both with the item and its index in the source; `.schemaMismatch` with all mismatches of
    ///   the source; `.misuse` when the source is the store's own file; `.cannotOpen`, `.notADatabase`, `.wrongKey`,
    ///   `.corrupt`, `.busy` and the other file errors, for either file; `.readOnly`. After a failure, nothing is
    ///   stored.
    /// - Complexity: O(*n* log *n*) for *n* items, in constant memory. Other writes wait until the copy is complete.
    public func copy(
        _ entities: any Entity.Type..., from source: String, existing: ExistingItems = .refused,
        access: StoreAccess = .readOnly, key: EncryptionKey? = nil, author: String? = nil
    ) -> Signal<Int, RepositoryError> {
        copy(entities, from: source, existing: existing, access: access, key: key, author: author)
    }

    /// Copies the items of the entities in a list from another file into the store.
    ///
    /// - Delivery and failure: as `copy(_:from:existing:access:key:author:)`.
    public func copy(
        _ entities: [any Entity.Type], from source: String, existing: ExistingItems = .refused,
        access: StoreAccess = .readOnly, key: EncryptionKey? = nil, author: String? = nil
    ) -> Signal<Int, RepositoryError> {
        engine.writing(self, author: author) { [opened] store in
            let connection = try opened.writingConnection()
            let source = try CopySource(source, access, key, entities, for: connection)
            defer { source.close() }
            return try store.copy(entities, from: source, to: connection, existing)
        }
    }
}
