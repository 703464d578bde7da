import Foundation

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
