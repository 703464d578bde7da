public import Foundation
public import Signals

extension Repository {
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
