public import Foundation

/// What one commit changed: the rows that it inserted, updated and deleted, as typed values.
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
/// The changes are net: of each row the state before the commit and the state after it. What was inserted and deleted
/// again does not occur, nor does a row that was written with the values which it had; a row that was deleted and
/// inserted again is updated, and one whose key was changed is deleted with the old key and inserted with the new one.
public struct ChangeSet: Sendable {
    /// Whether it is known which rows changed.
    public enum Extent: Sendable, Hashable {
        /// The rows are known.
        case rows
        /// Everything may have changed: what was read before has to be read again.
        case unknown(Reason)
    }

    /// Why it is not known which rows changed.
    public enum Reason: Sendable, Hashable {
        /// Another connection committed, of this process or another; or a commit of this one ended unclearly.
        case otherConnection
        /// The commit changed tables themselves, or rows of a table with virtual generated columns.
        case tables
        /// The sink was behind, and more rows waited for it than it had allowed for. The commit is the last of those
        /// that this change set stands for.
        case backlog
    }

    /// The number of the commit, the same as that of live queries.
    public let commit: Int
    /// Who made the change, as given to `Repository.transaction(author:_:)`.
    public let author: String?
    /// The time right after the commit.
    public let time: Date
    /// Whether it is known which rows changed.
    public let extent: Extent
    /// The changes by table.
    let content: [String: TableChanges]
    private let decoder: RowDecoder?
    /// How much of a backlog the change set takes.
    let weight: Int

    init(
        commit: Int, author: String?, time: Date, extent: Extent, tables: [String: TableChanges],
        decoder: RowDecoder?
    ) {
        self.commit = commit
        self.author = author
        self.time = time
        self.extent = extent
        self.content = tables
        self.decoder = decoder
        weight = max(1, tables.values.reduce(0) { $0 + $1.changes.count })
    }

    init(commit: Int, unknown reason: Reason) {
        self.init(commit: commit, author: nil, time: Date(), extent: .unknown(reason), tables: [:], decoder: nil)
    }

    /// Returns the change set with a part of its tables.
    func with(_ tables: [String: TableChanges]) -> ChangeSet {
        ChangeSet(commit: commit, author: author, time: time, extent: extent, tables: tables, decoder: decoder)
    }
}

extension ChangeSet {
    /// The values of an item before and after a commit.
    public struct Update<Item: Entity>: Sendable {
        /// The item as it was.
        public let old: Item
        /// The item as it is.
        public let new: Item
    }

    /// The names of the tables of which rows changed; none when it is not known.
    public var tables: Set<String> { Set(content.keys) }

    /// Returns the items that the commit inserted, in the order in which their rows were first touched.
    ///
    /// - Failure: `.decoding` when a value is not one of its property's type; `.misuse` when the change set does not
    ///   know its rows.
    /// - Complexity: O(*n*) in the number of changes of the entity; the items are made at each call.
    public func inserted<Item: Entity>(of entity: Item.Type) throws(RepositoryError) -> [Item] {
        try items(entity) { $0.old == nil ? $0.new : nil }
    }

    /// Returns the items that the commit updated, before and after it, in the order in which their rows were first
    /// touched.
    ///
    /// - Failure: as `inserted(of:)`.
    /// - Complexity: O(*n*) in the number of changes of the entity; the items are made at each call.
    public func updated<Item: Entity>(of entity: Item.Type) throws(RepositoryError) -> [Update<Item>] {
        let old = try items(entity) { $0.new == nil ? nil : $0.old }
        let new = try items(entity) { $0.old == nil ? nil : $0.new }
        return zip(old, new).map { Update(old: $0, new: $1) }
    }

    /// Returns the items that the commit deleted, as they were before it, in the order in which their rows were first
    /// touched.
    ///
    /// - Failure: as `inserted(of:)`.
    /// - Complexity: O(*n*) in the number of changes of the entity; the items are made at each call.
    public func deleted<Item: Entity>(of entity: Item.Type) throws(RepositoryError) -> [Item] {
        try items(entity) { $0.new == nil ? $0.old : nil }
    }

    private func items<Item: Entity>(
        _ entity: Item.Type, _ pick: (RowChange) -> [SQLValue]?
    ) throws(RepositoryError) -> [Item] {
        if case .unknown(let reason) = extent {
            throw .misuse(
                detail: "the change set of commit \(commit) does not know its rows (\(reason)): look at its extent "
                    + "first")
        }
        guard let table = content[Item.entityName], let decoder else { return [] }
        return try decoder.items(entity, of: table.changes.compactMap(pick), in: table.layout)
    }
}

extension ChangeSet.Update: Equatable where Item: Equatable {}
