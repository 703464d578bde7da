import SignalRepository

extension Signal where Failure == RepositoryError {
    /// Returns a signal that attaches a failed live query again, once for each commit, until it succeeds.
    ///
    /// - Delivery: the values of every attempt.
    /// - Failure: the failure of `commits`, such as `.closed`.
    public func retried(at commits: Signal<Void, RepositoryError>) -> Signal {
        retry { failures in
            // Commits are followed from the first failure on. One that comes during an attempt counts for the next.
            failures.flatMapFirst { first in failures.prepend(first).zip(commits) }
        }
    }
}

extension Repository {
    /// A signal that delivers at once, and after each commit that changes items of an entity; its sinks share a query.
    public func commits(of type: (some Entity).Type) -> Signal<Void, RepositoryError> {
        let query = LiveQuery { store in
            _ = try store.count(type)
            return NeverSame()
        }
        return follow(query).map { _ in }.share(replay: 1)
    }
}

/// A result that is never equal to the one before, so every commit delivers it.
private struct NeverSame: Equatable {
    static func == (left: NeverSame, right: NeverSame) -> Bool { false }
}
