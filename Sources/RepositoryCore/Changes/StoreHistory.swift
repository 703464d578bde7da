/// Whether a store records the changes of its commits, so that a program can continue from a commit: to sync, to update
/// an external index, or to undo.
///
/// ```swift
/// let repository = try SQLiteRepository(
///     .file("movies.sqlite"), entities: Movie.self,
///     configuration: RepositoryConfiguration(history: .kept(for: .seconds(30 * 86_400))))
/// ```
/// See `SQLiteRepository.changes(since:)` and `SQLiteRepository.undo(author:)`.
public struct StoreHistory: Sendable, Hashable {
    package enum Choice: Sendable, Hashable {
        case none
        case dropped
        case kept(seconds: Double, isUndoable: Bool)
    }

    package let choice: Choice

    /// No history is recorded.
    ///
    /// A store that has a history is rejected, because the new commits would be missing from it without notice.
    public static let none = StoreHistory(choice: .none)

    /// The existing history of the store is deleted.
    public static let dropped = StoreHistory(choice: .dropped)

    /// Each commit records its changes in the same transaction; entries older than `duration` are pruned.
    ///
    /// The ids of the items are recorded, not the items. If `isUndoable`, replaced and deleted values are recorded too,
    /// so that a commit can be undone.
    public static func kept(for duration: Duration, isUndoable: Bool = false) -> StoreHistory {
        StoreHistory(choice: .kept(seconds: Double(duration.milliseconds) / 1_000, isUndoable: isUndoable))
    }
}
