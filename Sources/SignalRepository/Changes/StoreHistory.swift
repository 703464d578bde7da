/// Whether a store keeps what its commits have changed, so that a program can go on from where it was: to sync, to keep
/// an index elsewhere, to undo.
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

    /// Nothing is kept.
    ///
    /// A store that keeps a history is refused, because what would be missing in it nobody could know.
    public static let none = StoreHistory(choice: .none)

    /// The history that the store has is deleted.
    public static let dropped = StoreHistory(choice: .dropped)

    /// What each commit changes is kept in the store, in the same transaction, for as long as is stated.
    ///
    /// The ids of the items are kept, not the items. With `isUndoable`, the values that were replaced or deleted are
    /// kept too, so that a commit can be undone.
    public static func kept(for duration: Duration, isUndoable: Bool = false) -> StoreHistory {
        StoreHistory(choice: .kept(seconds: Double(duration.milliseconds) / 1_000, isUndoable: isUndoable))
    }
}
