/// The setting for a store's history: a record of the changes of each commit.
///
/// With a history, a program can process all changes since a commit: to sync, to update an external index, or to undo.
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

    /// The store records no history.
    ///
    /// A store that already has a history cannot be opened with this setting: its history would silently miss new
    /// commits.
    public static let none = StoreHistory(choice: .none)

    /// The store records no history, and opening the store deletes an existing history.
    public static let dropped = StoreHistory(choice: .dropped)

    /// Records the changes of each commit, in the commit's own transaction; prunes entries older than `duration`.
    ///
    /// The history contains the ids of the changed items, not their values. With `isUndoable`, it also contains
    /// replaced and deleted values, so that a commit can be undone.
    public static func kept(for duration: Duration, isUndoable: Bool = false) -> StoreHistory {
        StoreHistory(choice: .kept(seconds: Double(duration.milliseconds) / 1_000, isUndoable: isUndoable))
    }
}
