public import Foundation
public import Signals

extension Repository {
    /// Returns the permanent URL of a stored item, identified by its id.
    ///
    /// The URL consists of the store's identity, the entity's name and the id, so it stays valid when the file is
    /// closed, renamed or moved. A copy of the file has the same identity. The first request for a URL writes the
    /// identity; `changes` signals report this commit as `.unknown`, because it adds a table. Every later request only
    /// reads, so it also works in a repository that was opened read-only.
    ///
    /// ```swift
    /// let url = try await repository.url(for: movie).value()
    /// ```
    /// - Delivery: the URL, once the store's identity is committed; then the signal finishes.
    /// - Failure: `.notFound` when there is no item with this id; `.decoding`; `.readOnly` if the store has no identity
    ///   yet and was opened read-only.
    public func url<Item: Entity>(for item: Item) -> Signal<URL, RepositoryError> {
        url(Item.self, id: item.id)
    }

    /// Returns the URL of a stored item, given its id alone; see `url(for:)`.
    ///
    /// - Delivery: the URL, once the store's identity is committed; then the signal finishes.
    /// - Failure: as `url(for:)`.
    public func url<Item: Entity>(_ type: Item.Type, id: Item.ID) -> Signal<URL, RepositoryError> {
        signal(
            for: .read(RepositoryCall("url", type, id: id)) { store in
                try store.identity() == nil ? nil : try store.url(type, id: id)
            }
        )
        .flatMap { url in
            if let url { return .just(url) }
            return signal(
                for: .write(RepositoryCall("url", type, id: id)) { store in
                    try store.url(type, id: id)
                })
        }
    }

    /// Returns the id of the item that a URL refers to, whether or not the item exists.
    ///
    /// ```swift
    /// let url = try await repository.url(for: movie).value()
    /// let same = repository.id(of: Movie.self, at: url).flatMap { repository.read(Movie.self, id: $0) }
    /// ```
    /// - Delivery: the id; then the signal finishes.
    /// - Failure: `.misuse` when the URL belongs to another store or entity, or to no item at all.
    public func id<Item: Entity>(of type: Item.Type, at url: URL) -> Signal<Item.ID, RepositoryError> {
        signal(for: .read(RepositoryCall("id", type, url: url)) { store in try store.id(of: type, at: url) })
    }
}

extension ReadTransaction {
    /// Returns the id of the item that a URL refers to, whether or not the item exists.
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
    /// - Failure: `.notFound` when there is no item with this id; `.decoding`; `.readOnly` in a read transaction if the
    ///   store has no identity yet.
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
        guard let url = address.url else { throw .misuse(detail: "the id \(id.displayText) cannot be part of a URL") }
        return url
    }
}

private struct ItemLocator<Item: Entity> {
    private let store: String?

    init(_ type: Item.Type, in transaction: ReadTransaction) throws(RepositoryError) {
        store = try transaction.identity()
    }

    /// Returns the id of the item that a URL refers to, whether or not the item exists.
    ///
    /// Throws `.misuse` when the URL belongs to another store or entity, or to no item at all.
    func id(at url: URL) throws(RepositoryError) -> Item.ID {
        guard let address = ItemAddress(url) else { throw .misuse(detail: "\(url) is not the URL of an item") }
        guard address.store == store else { throw .misuse(detail: "\(url) belongs to another store") }
        let key = try Item.schema.key
        guard address.entity == Item.entityName, key.isComposite || address.key.hasClass(of: key.columns[0]) else {
            throw unknownURL(url)
        }
        do {
            return try key.id(of: address.key)
        } catch {
            throw unknownURL(url)
        }
    }

    private func unknownURL(_ url: URL) -> RepositoryError {
        .misuse(detail: "\(url) is not the URL of an item of \(Item.entityName)")
    }
}

extension SQLValue {
    fileprivate func hasClass<Root>(of column: AnyColumn<Root>) -> Bool {
        switch (self, column.storageClass) {
        case (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): true
        default: false
        }
    }
}
