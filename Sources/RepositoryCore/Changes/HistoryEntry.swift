public import Foundation

/// One commit in the history of a store: who changed which items, and when.
public struct HistoryEntry: Sendable {
    /// Whether it is known which items changed.
    public enum Extent: Sendable, Hashable {
        /// The items are known.
        case rows
        /// Any item may have changed: rebuild all data that was derived from the store.
        ///
        /// The rebuilt data contains every commit up to the entry's token, so continue from that token.
        case unknown(Reason)
    }

    /// Why it is not known which items changed.
    public enum Reason: Sendable, Hashable {
        /// The history begins with this entry, but the store already had items.
        case beginning
        /// Commits after the token given to `changes(since:)` are missing: they were older than the history's duration,
        /// and have been pruned.
        case pruned
        /// The token given to `changes(since:)` is from another store, or from a copy of this store that has diverged.
        case otherStore
        /// Another program, which records no history, wrote to the file.
        case otherConnection
        /// The commit changed the schema, or rows whose ids are unknown, such as rows of a table with virtual generated
        /// columns.
        case tables
    }

    /// The position in the history after this entry.
    public let token: HistoryToken
    /// The author of the change, as given to `Repository.transaction(author:_:)`.
    public let author: String?
    /// The time of the commit or, if the changes are unknown, the time at which the entry was made.
    public let time: Date
    /// Whether it is known which items changed.
    public let extent: Extent
    package let content: [TableHistory]

    package init(
        token: HistoryToken, author: String? = nil, time: Date, extent: Extent, content: [TableHistory] = []
    ) {
        (self.token, self.author, self.time, self.extent, self.content) = (token, author, time, extent, content)
    }
}

extension HistoryEntry {
    /// The names of the tables in which rows changed; empty when `extent` is `.unknown`.
    public var tables: Set<String> { Set(content.map(\.name)) }

    /// Returns the ids of the items that the commit inserted, in the order in which they were first changed.
    ///
    /// - Failure: `.misuse` when `extent` is `.unknown`; `.decoding` if the entity's key has changed since the commit.
    public func inserted<Item: Entity>(of entity: Item.Type) throws(RepositoryError) -> [Item.ID] {
        try ids(entity, \.inserted)
    }

    /// Returns the ids of the items that the commit updated, in the order in which they were first changed.
    ///
    /// The result includes items that were rewritten with the same values.
    /// - Failure: as `inserted(of:)`.
    public func updated<Item: Entity>(of entity: Item.Type) throws(RepositoryError) -> [Item.ID] {
        try ids(entity, \.updated)
    }

    /// Returns the ids of the items that the commit deleted, in the order in which they were first changed.
    ///
    /// - Failure: as `inserted(of:)`.
    public func deleted<Item: Entity>(of entity: Item.Type) throws(RepositoryError) -> [Item.ID] {
        try ids(entity, \.deleted)
    }

    private func ids<Item: Entity>(
        _ entity: Item.Type, _ rows: (TableHistory) -> [[SQLValue]]
    ) throws(RepositoryError) -> [Item.ID] {
        if case .unknown(let reason) = extent {
            throw .misuse(detail: "the entry does not know its items (\(reason)): check its extent first")
        }
        guard let table = content.first(where: { $0.name == Item.entityName }) else { return [] }
        let key = try Item.schema.key
        let indexes = key.names.compactMap { table.key.firstIndex(of: $0) }
        guard indexes.count == table.key.count else { throw Self.otherKey(entity, key.name, "\(table.key)") }
        var ids: [Item.ID] = []
        for row in rows(table) {
            do {
                ids.append(try key.id(of: indexes.map { row[$0] }))
            } catch {
                throw Self.otherKey(entity, key.name, ColumnFault.sentence(error))
            }
        }
        return ids
    }

    private static func otherKey<Item: Entity>(_ entity: Item.Type, _ key: String, _ detail: String) -> RepositoryError
    {
        .decoding(entity: Item.entityName, column: key, detail: "the history has another key: \(detail)")
    }
}

/// The changes of one commit to one table; each row is identified by its key.
package struct TableHistory: Sendable, Equatable {
    package var name: String
    /// The names of the key's columns.
    package var key: [String]
    package var inserted: [[SQLValue]] = []
    package var updated: [[SQLValue]] = []
    package var deleted: [[SQLValue]] = []
    /// The names of all columns, if the history records old values; otherwise empty.
    package var columns: [String] = []
    /// The old values of the updated rows, followed by the old values of the deleted rows.
    package var old: [[SQLValue]] = []

    package init(name: String, key: [String]) {
        (self.name, self.key) = (name, key)
    }

    package var keys: [[SQLValue]] { inserted + updated + deleted }
}
