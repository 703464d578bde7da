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

    /// Reads the items with many URLs independently, and reports those that fail.
    ///
    /// ```swift
    /// let urls = try await repository.transaction { store in try movies.map { try store.url(for: $0) } }.value()
    /// let found = try await repository.read(Movie.self, at: urls).value()
    /// print(found.success == movies, found.failed.count)  // true 0
    /// ```
    /// - Delivery: one `BatchResult` with the items in the order of their URLs, and the URLs that failed, each with its
    ///   error: `.misuse` when it belongs to another store or entity, or to no item at all; `.notFound`; `.decoding`;
    ///   then it finishes.
    /// - Failure: only what concerns the store as a whole.
    public func read<Item: Entity>(
        _ type: Item.Type, at urls: [URL]
    ) -> Signal<BatchResult<Item, URL>, RepositoryError> {
        read(for: RepositoryCall(.read, type, urls: urls)) { store in try store.read(type, at: urls) }
    }

    /// Reads the items with many URLs, all or none.
    ///
    /// - Delivery: the items in the order of their URLs; then it finishes.
    /// - Failure: that of the first URL that fails: `.misuse` when it belongs to another store or entity, or to no item
    ///   at all; `.notFound`; `.decoding`.
    public func readAtomically<Item: Entity>(_ type: Item.Type, at urls: [URL]) -> Signal<[Item], RepositoryError> {
        read(for: RepositoryCall(.readAtomically, type, urls: urls)) { store in
            try store.readAtomically(type, at: urls)
        }
    }

    /// Deletes the items with many URLs independently, in one transaction, and reports those that fail.
    ///
    /// - Delivery: one `BatchResult` with the URLs whose items were deleted and those that failed, each with its error:
    ///   `.misuse` when it belongs to another store or entity, or to no item at all; `.notFound`; `.constraint`; then
    ///   it finishes.
    /// - Failure: only what concerns the store as a whole: `.full`, `.busy`, `.io` and so on. Nothing is deleted.
    public func delete<Item: Entity>(
        _ type: Item.Type, at urls: [URL]
    ) -> Signal<BatchResult<URL, URL>, RepositoryError> {
        transaction(for: RepositoryCall(.delete, type, urls: urls), author: nil) { store in
            try store.delete(type, at: urls)
        }
    }

    /// Deletes the items with many URLs, all or none.
    ///
    /// - Delivery: one empty value, once the deletions are committed; then it finishes.
    /// - Failure: that of the first URL that fails: `.misuse` when it belongs to another store or entity, or to no item
    ///   at all; `.notFound`; `.constraint`. Nothing is deleted.
    public func deleteAtomically<Item: Entity>(_ type: Item.Type, at urls: [URL]) -> Signal<Void, RepositoryError> {
        transaction(for: RepositoryCall(.deleteAtomically, type, urls: urls), author: nil) { store in
            try store.deleteAtomically(type, at: urls)
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
        guard let url = address.url else { throw .misuse(detail: "the id \(id.spelled) cannot stand in a URL") }
        return url
    }

    /// Reads the items with many URLs independently, and reports those that fail.
    public func read<Item: Entity>(
        _ type: Item.Type, at urls: [URL]
    ) throws(RepositoryError) -> BatchResult<Item, URL> {
        let locator = try ItemLocator(type, in: self)
        return try each(urls, keeping: \.liesInURL) { url throws(RepositoryError) in
            try read(type, id: locator.id(at: url))
        }
    }

    /// Reads the items with many URLs, all or none.
    public func readAtomically<Item: Entity>(
        _ type: Item.Type, at urls: [URL]
    ) throws(RepositoryError) -> [Item] {
        let locator = try ItemLocator(type, in: self)
        return try all(urls) { url throws(RepositoryError) in try read(type, id: locator.id(at: url)) }
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
            throw .misuse(detail: "\(url) is not the URL of the item with the id \(item.id.spelled)")
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

    /// Deletes the items with many URLs independently, and reports those that fail.
    @discardableResult
    public func delete<Item: Entity>(
        _ type: Item.Type, at urls: [URL]
    ) throws(RepositoryError) -> BatchResult<URL, URL> {
        let locator = try ItemLocator(type, in: self)
        return try each(urls, keeping: \.liesInURL) { url throws(RepositoryError) in
            try delete(type, id: locator.id(at: url))
            return url
        }
    }

    /// Deletes the items with many URLs, all or none.
    public func deleteAtomically<Item: Entity>(_ type: Item.Type, at urls: [URL]) throws(RepositoryError) {
        let locator = try ItemLocator(type, in: self)
        try transaction { store in
            _ = try store.all(urls) { url throws(RepositoryError) in try store.delete(type, id: locator.id(at: url)) }
        }
    }
}

extension RepositoryError {
    /// Whether another URL could succeed; a URL of something else is at fault itself.
    fileprivate var liesInURL: Bool {
        if case .misuse = self { true } else { liesInItem }
    }
}

/// Finds the ids of items by their URLs: the only way from a URL to an item.
///
/// The store's identity is read once, however many URLs follow.
struct ItemLocator<Item: Entity> {
    private let store: String?

    init(_ type: Item.Type, in transaction: ReadTransaction) throws(RepositoryError) {
        store = try transaction.identity()
    }

    /// Returns the id of the item that a URL refers to, whether the item exists or not.
    ///
    /// Throws `.misuse` when the URL belongs to another store or entity, or to no item at all.
    func id(at url: URL) throws(RepositoryError) -> Item.ID {
        guard let address = ItemAddress(url) else { throw .misuse(detail: "\(url) is not the URL of an item") }
        guard address.store == store else { throw .misuse(detail: "\(url) is of another store") }
        let key = try Item.schema.key
        guard address.entity == Item.entityName, key.isComposite || address.key.hasClass(of: key.columns[0]) else {
            throw stranger(url)
        }
        do {
            return try key.id(of: address.key)
        } catch {
            throw stranger(url)
        }
    }

    private func stranger(_ url: URL) -> RepositoryError {
        .misuse(detail: "\(url) is not the URL of an item of \(Item.entityName)")
    }
}

extension SQLValue {
    /// Whether the value is of the storage class of a column.
    fileprivate func hasClass<Root>(of column: AnyColumn<Root>) -> Bool {
        switch (self, column.storageClass) {
        case (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): true
        default: false
        }
    }
}
