import Foundation

/// Finds the ids of items by their URLs: the one way from a URL to an item.
///
/// The store's identity is read once, however many URLs follow.
struct ItemLocator<Item: Entity> {
    private let session: Session
    private let store: String?

    init(_ type: Item.Type, in transaction: ReadTransaction) throws(RepositoryError) {
        session = transaction.session
        store = try transaction.identity()
    }

    /// Returns the id of the item that a URL is of, whether the item exists or not.
    ///
    /// `.misuse` says that the URL is of another store or entity, or of no item at all.
    func id(at url: URL) throws(RepositoryError) -> Item.ID {
        guard let address = ItemAddress(url) else { throw .misuse(detail: "\(url) is not the URL of an item") }
        guard address.store == store else { throw .misuse(detail: "\(url) is of another store") }
        guard address.entity == Item.entityName, try address.key.hasClass(of: Item.schema.key) else {
            throw stranger(url)
        }
        var sql = SQLText.returning(parameters: 1)
        sql.append(value: address.key)
        let statement = try session.statement(sql)
        defer { statement.reset() }
        guard try statement.step() else { throw .misuse(detail: "a value was not returned") }
        do {
            return try statement.value(Item.ID.self, at: 0, scale: Item.schema.key.scale ?? 0)
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
