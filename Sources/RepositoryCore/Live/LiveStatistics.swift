/// How a repository has kept its live queries up to date since it was opened, and how many are attached now.
///
/// ```swift
/// let before = repository.statistics.reread
/// try await repository.create(movie).value()
/// print(repository.statistics.reread - before)  // 0: nothing was read again
/// ```
public struct LiveStatistics: Sendable, Equatable {
    /// The number of attached live signals.
    public internal(set) var subscriptions = 0
    /// The number of different queries that they follow; equal queries are followed once.
    public internal(set) var queries = 0
    /// The number of times that a query was read for its first value.
    public internal(set) var firstReads = 0
    /// The number of times that a query was given a commit's rows, because its condition may accept one of them.
    public internal(set) var matched = 0
    /// The number of times that a result was updated in place from the changed rows, without reading the store.
    public internal(set) var updatedInPlace = 0
    /// The number of times that a result was re-read by key: only the items that belong to the changed rows were read.
    public internal(set) var rereadByKey = 0
    /// The number of times that a result needed a refill: its reserve of rows beyond a limit, or of values next to the
    /// least or greatest one, was used up.
    public internal(set) var refilled = 0
    /// The number of times that a result was re-read because the changed rows were unknown or did not determine it.
    public internal(set) var reread = 0
    /// The number of rows that are known to have changed in the last commit to a table that a query reads.
    public internal(set) var changedRows = 0

    /// The number of times that the store was read.
    public var reads: Int { firstReads + rereadByKey + refilled + reread }
}
