public import Foundation
public import Signals

extension Repository {
    /// Reads the items with many URLs, each on its own: those that can be read are, the other URLs are reported.
    ///
    /// ```swift
    /// let urls = try await repository.transaction { store in try movies.map { try store.url(for: $0) } }.first()
    /// let found = try await repository.read(Movie.self, at: urls).first()
    /// print(found.success == movies, found.failed.count)  // true 0
    /// ```
    /// - Delivery: one `BatchResult` with the items in the order of their URLs, and the URLs that failed, each with
    ///   its error: `.misuse` when it is of another store or entity, or of no item at all; `.notFound`; `.decoding`;
    ///   then finished.
    /// - Failure: only what concerns the store as a whole.
    public func read<Item: Entity>(
        _ type: Item.Type, at urls: [URL]
    ) -> Signal<BatchResult<Item, URL>, RepositoryError> {
        read { store in try store.read(type, at: urls) }
    }

    /// Reads the items with many URLs, all of them or none.
    ///
    /// - Delivery: the items in the order of their URLs; then finished.
    /// - Failure: that of the first URL that fails: `.misuse` when it is of another store or entity, or of no item at
    ///   all; `.notFound`; `.decoding`.
    public func readAtomically<Item: Entity>(_ type: Item.Type, at urls: [URL]) -> Signal<[Item], RepositoryError> {
        read { store in try store.readAtomically(type, at: urls) }
    }

    /// Deletes the items with many URLs, each on its own, in one transaction: those that can be are, the others are
    /// reported.
    ///
    /// - Delivery: one `BatchResult` with the URLs whose items were deleted and those that failed, each with its
    ///   error: `.misuse` when it is of another store or entity, or of no item at all; `.notFound`; `.constraint`;
    ///   then finished.
    /// - Failure: only what concerns the store as a whole: `.full`, `.busy`, `.io` and so on. Nothing is deleted then.
    public func delete<Item: Entity>(
        _ type: Item.Type, at urls: [URL]
    ) -> Signal<BatchResult<URL, URL>, RepositoryError> {
        transaction { store in try store.delete(type, at: urls) }
    }

    /// Deletes the items with many URLs, all of them or none.
    ///
    /// - Delivery: one empty value, once the deletions are committed; then finished.
    /// - Failure: that of the first URL that fails: `.misuse` when it is of another store or entity, or of no item at
    ///   all; `.notFound`; `.constraint`. Nothing is deleted then.
    public func deleteAtomically<Item: Entity>(_ type: Item.Type, at urls: [URL]) -> Signal<Void, RepositoryError> {
        transaction { store in try store.deleteAtomically(type, at: urls) }
    }
}

extension ReadTransaction {
    /// Reads the items with many URLs, each on its own: those that can be read are, the other URLs are reported.
    public func read<Item: Entity>(
        _ type: Item.Type, at urls: [URL]
    ) throws(RepositoryError) -> BatchResult<Item, URL> {
        let locator = try ItemLocator(type, in: self)
        return try each(urls, keeping: \.liesInURL) { url throws(RepositoryError) in
            try read(type, id: locator.id(at: url))
        }
    }

    /// Reads the items with many URLs, all of them or none.
    public func readAtomically<Item: Entity>(
        _ type: Item.Type, at urls: [URL]
    ) throws(RepositoryError) -> [Item] {
        let locator = try ItemLocator(type, in: self)
        return try all(urls) { url throws(RepositoryError) in try read(type, id: locator.id(at: url)) }
    }
}

extension WriteTransaction {
    /// Deletes the items with many URLs, each on its own: those that can be are, the others are reported.
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

    /// Deletes the items with many URLs, all of them or none.
    public func deleteAtomically<Item: Entity>(_ type: Item.Type, at urls: [URL]) throws(RepositoryError) {
        let locator = try ItemLocator(type, in: self)
        try transaction { store in
            _ = try store.all(urls) { url throws(RepositoryError) in try store.delete(type, id: locator.id(at: url)) }
        }
    }
}

extension RepositoryError {
    /// Whether another URL could do better; a URL of something else is a fault of its own.
    fileprivate var liesInURL: Bool {
        if case .misuse = self { true } else { liesInItem }
    }
}
