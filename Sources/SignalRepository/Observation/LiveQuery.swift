/// What a live signal follows: a piece of reading, done anew when what it read has changed.
///
/// Which tables it reads is learnt from the statements that it executes, at each run.
///
/// ```swift
/// let titles = LiveQuery { try $0.fetch(Movie.all.sorted(by: \.title)).map(\.title) }
/// let token = repository.follow(titles).sink(onValue: { print($0.commit, $0.value) }, onCompletion: { _ in })
/// ```
public struct LiveQuery<Output: Sendable & Equatable>: Sendable {
    /// Reads, keeps what was read in the cell, and answers whether it differs from what the cell held.
    @usableFromInline let read: @Sendable (ReadTransaction, LiveCell<Output>) throws -> Bool

    /// Makes a query of a reading; it runs on the database's queue, so it must not wait for anything.
    @inlinable
    public init(_ body: @escaping @Sendable (ReadTransaction) throws -> Output) {
        read = { transaction, cell in
            let value = try body(transaction)
            if let last = cell.value, last == value { return false }
            cell.value = value
            return true
        }
    }
}

/// The last result of a live query.
///
/// Comparing is done where the type is known to the optimizer; for thousands of queries of which one has changed, that
/// is most of the work.
@usableFromInline
final class LiveCell<Output> {
    // Unchecked is safe because only the live queue touches it, and nothing in between calls back.
    @usableFromInline @exclusivity(unchecked) var value: Output?

    @usableFromInline
    init() {}
}
