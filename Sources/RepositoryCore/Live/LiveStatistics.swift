/// The number of attached live queries, and counts of how a repository has updated them since it was opened.
///
/// ```swift
/// let before = repository.statistics.reread
/// try await repository.create(movie).value()
/// print(repository.statistics.reread - before)  // 0: nothing was read again
/// ```
public struct LiveStatistics: Sendable, Equatable {
    /// The number of attached live signals.
    public internal(set) var subscriptions = 0
    /// The number of different queries that these signals follow; equal queries count once.
    public internal(set) var queries = 0
    /// The number of times that a query was read for its first value.
    public internal(set) var firstReads = 0
    /// The number of times that a query received a commit's changed rows, because its condition may accept one of them.
    public internal(set) var matched = 0
    /// The number of times that a result was updated in place from the changed rows, without reading the store.
    public internal(set) var updatedInPlace = 0
    /// The number of times that a result was re-read by key: only the items that belong to the changed rows were read.
    public internal(set) var rereadByKey = 0
    /// The number of times that a result was refilled, because changes had used up its reserve.
    ///
    /// A list holds rows beyond its limit in reserve, and a minimum or maximum holds the values next to it.
    public internal(set) var refilled = 0
    /// The number of times that a result was re-read because the changed rows were unknown or did not determine it.
    public internal(set) var reread = 0
    /// The number of rows that are known to have changed in the last commit to a table of a live query.
    public internal(set) var changedRows = 0

    /// The number of times that a live query read the store: all first reads, re-reads and refills.
    public var reads: Int { firstReads + rereadByKey + refilled + reread }
}
