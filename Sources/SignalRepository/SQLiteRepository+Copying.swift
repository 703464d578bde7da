public import Signals

// Copying from another file, which a server has no verb for.
extension SQLiteRepository {
    /// Copies the items of some entities from another file into the store, in one transaction: all or nothing.
    ///
    /// ```swift
    /// let count = try await repository.copy(Movie.self, from: "archive.sqlite", existing: .kept).value()
    /// print(count)  // 1240
    /// ```
    /// The source is a store of this library, or a file that something else has made. It is checked as it is when it is
    /// opened for reading, and stays as it is; what others write to it meanwhile is not copied. Of a store of this
    /// library, the migrations have to be those of this one. Columns that an entity does not declare are left out; all
    /// others are copied value by value, as they are stored: the times that a store keeps, too, and the numbers that it
    /// gave. The next numbers are greater.
    ///
    /// The items come in an order in which each follows those that it refers to; where they refer to one another, that
    /// is looked at in the end. Triggers run as for any other write. Live signals and change signals are told once.
    ///
    /// - Parameters:
    ///   - entities: whose items are copied.
    ///   - source: the path of the other file.
    ///   - existing: what becomes of an item whose id is taken.
    ///   - access: `.readOnly`, or `.immutable` for a file that nobody changes.
    ///   - key: what the source is encrypted with.
    ///   - author: who has made the change.
    /// - Delivery: the number of items that were stored, once they are committed, off the database queues; then it
    ///   finishes. A cancel before that leaves nothing.
    /// - Failure: `.constraint` where an id is taken or another rule is broken, `.decoding` where a row is no item,
    ///   both with the item and its place in the source; `.schemaMismatch` names all of the source that does not fit;
    ///   `.misuse` where it is the file of the store itself; `.cannotOpen`, `.notADatabase`, `.wrongKey`, `.corrupt`,
    ///   `.busy` and the other file errors, of either file; `.readOnly`. Nothing is kept.
    /// - Complexity: O(*n* log *n*) for *n* items, in constant memory. Other writes wait meanwhile.
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
        engine.writing(self, author: author) { store in
            let source = try CopySource(source, access, key, entities, for: store.session)
            defer { source.close() }
            return try store.copy(entities, from: source, existing)
        }
    }
}
