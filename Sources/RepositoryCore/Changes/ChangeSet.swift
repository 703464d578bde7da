public import Foundation

/// The changes of one commit: the rows that it inserted, updated and deleted, as typed values.
///
/// ```swift
/// let token = repository.changes(of: Movie.self).sink(
///     onValue: { changes in
///         guard case .rows = changes.extent else { return print("everything may have changed") }
///         for movie in (try? changes.inserted(of: Movie.self)) ?? [] { print("+", movie.title) }
///     },
///     onCompletion: { _ in })
/// ```
///
/// The changes are net: they compare each row before the commit with the row after the commit. A row that was inserted
/// and then deleted does not appear, and neither does a row that was rewritten with the same values. A row that was
/// deleted and inserted again counts as updated. A row whose key changed counts as deleted under the old key and as
/// inserted under the new key.
public struct ChangeSet: Sendable {
    /// Whether it is known which rows changed.
    public enum Extent: Sendable, Hashable {
        /// The rows are known.
        case rows
        /// Any row may have changed: read everything again.
        case unknown(Reason)
    }

    /// Why it is not known which rows changed.
    public enum Reason: Sendable, Hashable {
        /// Another connection committed, in this process or another, or a commit of this repository has an unknown
        /// outcome.
        case otherConnection
        /// The commit changed the schema, or rows that cannot be captured, such as rows of a table with virtual
        /// generated columns.
        ///
        /// On PostgreSQL, the commit may also have truncated a table, or changed more than 100,000 rows of one table
        /// (fewer if the rows are long).
        case tables
        /// The sink fell behind, and more rows were waiting than the signal's backlog allows.
        ///
        /// The change set replaces all waiting change sets, and has the `commit` of the last one.
        case backlog
    }

    /// The number of the commit; a live query reports the same number (see `Committed`).
    public let commit: Int
    /// The author of the change, as given to `Repository.transaction(author:_:)`.
    public let author: String?
    /// The time of the commit, as `RepositoryConfiguration.now` gives it.
    public let time: Date
    /// Whether it is known which rows changed.
    public let extent: Extent
    let content: [String: TableChanges]
    /// The share of a backlog that the change set takes up: its number of changed rows, but at least 1.
    let weight: Int

    init(
        commit: Int, author: String?, time: Date, extent: Extent, tables: [String: TableChanges]
    ) {
        self.commit = commit
        self.author = author
        self.time = time
        self.extent = extent
        self.content = tables
        weight = max(1, tables.values.reduce(0) { $0 + $1.changes.count })
    }

    /// The change set without rows that replaces this one, and all change sets waiting before it, in a full backlog.
    var asBacklog: ChangeSet {
        ChangeSet(commit: commit, author: nil, time: time, extent: .unknown(.backlog), tables: [:])
    }

    func with(_ tables: [String: TableChanges]) -> ChangeSet {
        ChangeSet(commit: commit, author: author, time: time, extent: extent, tables: tables)
    }
}

extension ChangeSet {
    /// The values of an item before and after a commit.
    public struct Update<Item: Entity>: Sendable {
        /// The item before the commit.
        public let old: Item
        /// The item after the commit.
        public let new: Item
    }

    /// The names of the tables in which rows changed; empty when `extent` is `.unknown`.
    public var tables: Set<String> { Set(content.keys) }

    /// Returns the items that the commit inserted, in the order in which their rows were first changed.
    ///
    /// - Failure: `.decoding` when a value does not fit its property's type; `.misuse` when `extent` is `.unknown`.
    /// - Complexity: O(*n*) in the number of changes of the entity; each call creates new items.
    public func inserted<Item: Entity>(of entity: Item.Type) throws(RepositoryError) -> [Item] {
        try items(entity) { $0.old == nil ? $0.new : nil }
    }

    /// Returns the updated items, before and after the commit, in the order in which their rows were first changed.
    ///
    /// - Failure: as `inserted(of:)`.
    /// - Complexity: O(*n*) in the number of changes of the entity; each call creates new items.
    public func updated<Item: Entity>(of entity: Item.Type) throws(RepositoryError) -> [Update<Item>] {
        let old = try items(entity) { $0.new == nil ? nil : $0.old }
        let new = try items(entity) { $0.old == nil ? nil : $0.new }
        return zip(old, new).map { Update(old: $0, new: $1) }
    }

    /// Returns the deleted items, as they were before the commit, in the order in which their rows were first changed.
    ///
    /// - Failure: as `inserted(of:)`.
    /// - Complexity: O(*n*) in the number of changes of the entity; each call creates new items.
    public func deleted<Item: Entity>(of entity: Item.Type) throws(RepositoryError) -> [Item] {
        try items(entity) { $0.new == nil ? $0.old : nil }
    }

    private func items<Item: Entity>(
        _ entity: Item.Type, _ pick: (RowChange) -> [SQLValue]?
    ) throws(RepositoryError) -> [Item] {
        if case .unknown(let reason) = extent {
            throw .misuse(
                detail: "the change set of commit \(commit) does not know its rows (\(reason)): check its extent "
                    + "first")
        }
        guard let table = content[Item.entityName] else { return [] }
        let columns = try table.layout.indexes(of: Item.schema)
        var items: [Item] = []
        for row in table.changes.compactMap(pick) { items.append(try Item.schema.item(of: columns.map { row[$0] })) }
        return items
    }
}

extension ChangeSet.Update: Equatable where Item: Equatable {}
