public import Foundation
public import Signals

extension Repository {
    /// Returns the URL of a stored item, identified by its id, which stays the same for as long as the store exists.
    ///
    /// It is made of the store's identity, the entity's name and the id, so it survives closing, renaming and moving
    /// the file; a copy of the file has the same identity. The identity is written when the first URL is requested;
    /// change signals report that one commit as "unknown", because it adds a table. Every later URL only needs a read,
    /// even through a repository that was opened read-only.
    ///
    /// ```swift
    /// let url = try await repository.url(for: movie).value()
    /// let same = try await repository.read(Movie.self, at: url).value()
    /// ```
    /// - Delivery: the URL, once the identity is committed; then it finishes.
    /// - Failure: `.notFound` when there is no item with this id; `.decoding`; `.readOnly` for the first URL of a store
    ///   that was opened read-only.
    public func url<Item: Entity>(for item: Item) -> Signal<URL, RepositoryError> {
        url(Item.self, id: item.id)
    }

    /// Returns the URL of a stored item, given its id alone; see `url(for:)`.
    ///
    /// - Delivery: the URL, once the identity is committed; then it finishes.
    /// - Failure: as `url(for:)`.
    public func url<Item: Entity>(_ type: Item.Type, id: Item.ID) -> Signal<URL, RepositoryError> {
        read(for: RepositoryCall(.url, type, id: id)) { store in
            try store.identity() == nil ? nil : try store.url(type, id: id)
        }
        .flatMap { url in
            if let url { return .just(url) }
            return transaction(for: RepositoryCall(.url, type, id: id), author: nil) { store in
                try store.url(type, id: id)
            }
        }
    }

    /// Reads the item with a URL.
    ///
    /// - Delivery: the item; then it finishes.
    /// - Failure: `.misuse` when the URL belongs to another store or entity, or to no item at all; `.notFound` when the
    ///   item is gone; `.decoding`.
    public func read<Item: Entity>(_ type: Item.Type, at url: URL) -> Signal<Item, RepositoryError> {
        read(for: RepositoryCall(.read, type, url: url)) { store in try store.read(type, at: url) }
    }

    /// Reads the item with a URL, now and whenever it changes.
    ///
    /// - Delivery: the current item, or `nil` while there is none, then each different one, in commit order; a slow
    ///   sink gets only the latest. It does not finish.
    /// - Failure: `.misuse` when the URL belongs to another store or entity, or to no item at all; `.decoding`;
    ///   `.closed` when the repository is closed.
    public func readSubscription<Item: Entity & Equatable>(
        _ type: Item.Type, at url: URL
    ) -> Signal<Item?, RepositoryError> {
        let query = LiveQuery(item: { store in try store.find(type, id: store.id(of: type, at: url)) })
        return followValues(for: RepositoryCall(.readSubscription, type, url: url), query)
    }

    /// Replaces the item with a URL by another with the same id.
    ///
    /// ```swift
    /// let url = try await repository.url(for: movie).value()
    /// var renamed = movie
    /// renamed.title = "Tár"
    /// let updated = try await repository.update(at: url, with: renamed).value()
    /// ```
    /// - Delivery: the item, once it is committed; then it finishes.
    /// - Failure: `.misuse` when the URL belongs to another store or entity, to no item at all, or to an item with
    ///   another id; `.notFound` when the item is gone; `.constraint`; `.encoding`.
    public func update<Item: Entity>(at url: URL, with item: Item) -> Signal<Item, RepositoryError> {
        transaction(for: RepositoryCall(.update, Item.self, url: url), author: nil) { store in
            try store.update(at: url, with: item)
        }
    }

    /// Deletes the item with a URL.
    ///
    /// - Delivery: one empty value, once it is committed; then it finishes.
    /// - Failure: `.misuse` when the URL belongs to another store or entity, or to no item at all; `.notFound` when the
    ///   item is gone; `.constraint` when another item refers to it.
    public func delete<Item: Entity>(_ type: Item.Type, at url: URL) -> Signal<Void, RepositoryError> {
        transaction(for: RepositoryCall(.delete, type, url: url), author: nil) { store in
            try store.delete(type, at: url)
        }
    }
}

extension ReadTransaction {
    /// Reads the item with a URL.
    ///
    /// - Failure: `.misuse` when the URL belongs to another store or entity, or to no item at all; `.notFound` when the
    ///   item is gone; `.decoding`.
    public func read<Item: Entity>(_ type: Item.Type, at url: URL) throws(RepositoryError) -> Item {
        try read(type, id: id(of: type, at: url))
    }

    /// Returns the id of the item that a URL refers to, whether the item exists or not; every endpoint takes it.
    ///
    /// ```swift
    /// let id = try store.id(of: Movie.self, at: store.url(for: movie))
    /// print(id == movie.id)  // true
    /// ```
    /// - Failure: `.misuse` when the URL belongs to another store or entity, or to no item at all.
    public func id<Item: Entity>(of type: Item.Type, at url: URL) throws(RepositoryError) -> Item.ID {
        try ItemLocator(type, in: self).id(at: url)
    }

    /// Returns the URL of a stored item, identified by its id; see `Repository.url(for:)`.
    ///
    /// - Failure: `.notFound` when there is no item with this id; `.decoding`; `.readOnly` in a body that only reads,
    ///   if the store has no identity yet.
    public func url<Item: Entity>(for item: Item) throws(RepositoryError) -> URL {
        try url(Item.self, id: item.id)
    }

    /// Returns the URL of a stored item, given its id alone; see `Repository.url(for:)`.
    ///
    /// - Failure: as `url(for:)`.
    public func url<Item: Entity>(_ type: Item.Type, id: Item.ID) throws(RepositoryError) -> URL {
        _ = try read(type, id: id)
        let key = try Item.schema.key.identity(of: id)
        let store = if let known = try identity() { known } else { try makeIdentity() }
        let address = ItemAddress(store: store, entity: Item.entityName, key: key)
        guard let url = address.url else { throw .misuse(detail: "the id \(id) cannot stand in a URL") }
        return url
    }
}

extension WriteTransaction {
    /// Replaces the item with a URL by another with the same id.
    ///
    /// - Failure: `.misuse` when the URL belongs to another store or entity, to no item at all, or to an item with
    ///   another id; `.notFound` when the item is gone; `.constraint`; `.encoding`.
    @discardableResult
    public func update<Item: Entity>(at url: URL, with item: Item) throws(RepositoryError) -> Item {
        guard Item.ID.isSame(try id(of: Item.self, at: url), item.id) else {
            throw .misuse(detail: "\(url) is not the URL of the item with the id \(item.id)")
        }
        return try update(item)
    }

    /// Deletes the item with a URL.
    ///
    /// - Failure: `.misuse` when the URL belongs to another store or entity, or to no item at all; `.notFound` when the
    ///   item is gone; `.constraint` when another item refers to it.
    public func delete<Item: Entity>(_ type: Item.Type, at url: URL) throws(RepositoryError) {
        try delete(type, id: id(of: type, at: url))
    }
}
