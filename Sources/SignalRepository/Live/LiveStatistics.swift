/// How live queries have been kept up to date since the repository was opened, and what is attached now.
///
/// ```swift
/// let before = repository.statistics.reread
/// try await repository.create(movie).value()
/// print(repository.statistics.reread - before)  // 0: nothing was read again
/// ```
public struct LiveStatistics: Sendable, Equatable {
    /// How many live signals are attached.
    public internal(set) var subscriptions = 0
    /// How many different queries they follow; those that are equal are followed once.
    public internal(set) var queries = 0
    /// How often a query was read for its first value.
    public internal(set) var firstReads = 0
    /// How often a query was matched with the rows of a commit, because its condition may let one of them pass.
    public internal(set) var matched = 0
    /// How often a result was brought up to date by the rows that changed, without reading the store.
    public internal(set) var patched = 0
    /// How often what belongs to the rows that changed was read, of all that makes a result, and nothing else.
    public internal(set) var keyed = 0
    /// How often a result was read because what was held of it was used up: the rows beyond a limit, or the values next
    /// to the least or greatest one.
    public internal(set) var refilled = 0
    /// How often a result was read again because the changed rows were not known, or do not determine it.
    public internal(set) var reread = 0
    /// How many rows the last commit to a table that some query reads is known to have changed.
    public internal(set) var changedRows = 0

    /// How often the store was read.
    public var reads: Int { firstReads + keyed + refilled + reread }
}
