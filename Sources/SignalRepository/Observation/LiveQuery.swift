/// What a live signal follows: a piece of reading, done anew when what it read has changed.
///
/// Which tables it reads is learnt from the statements that it executes, at each run.
///
/// ```swift
/// let titles = LiveQuery { try $0.fetch(Movie.all.sorted(by: \.title)).map(\.title) }
/// let token = repository.follow(titles).sink(onValue: { print($0.commit, $0.value) }, onCompletion: { _ in })
/// ```
public struct LiveQuery<Output: Sendable & Equatable>: Sendable {
    let body: @Sendable (ReadTransaction) throws -> Output

    /// Makes a query of a reading; it runs on the database's queue, so it must not wait for anything.
    public init(_ body: @escaping @Sendable (ReadTransaction) throws -> Output) {
        self.body = body
    }
}
