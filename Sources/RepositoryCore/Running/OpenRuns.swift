import Signals

/// The streams in progress, one for each attached sink.
///
/// They end when the repository is closed or suspended.
final class OpenRuns: Sendable {
    /// A function that ends a stream with an error.
    typealias End = @Sendable (RepositoryError) -> Void

    private struct State {
        var ends: [ObjectIdentifier: End] = [:]
        var isClosed = false
    }

    private let state = Lock(State())

    /// Adds a stream, which stays until it is removed; returns `false` if the repository is closed.
    func add(_ run: Outbox, _ end: @escaping End) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.ends[ObjectIdentifier(run)] = end }
            return !state.isClosed
        }
    }

    func remove(_ run: Outbox) {
        let removed = state.withLock { $0.ends.removeValue(forKey: ObjectIdentifier(run)) }
        withExtendedLifetime(removed) {}
    }

    func end(_ error: RepositoryError) {
        for end in state.withLock({ Array($0.ends.values) }) { end(error) }
    }

    /// Ends all streams, and accepts no further streams.
    func close() {
        state.withLock { $0.isClosed = true }
        end(.closed)
    }
}
