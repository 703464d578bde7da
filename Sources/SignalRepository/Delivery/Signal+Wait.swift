import Dispatch
import Signals

extension Signal where Failure == RepositoryError {
    /// Blocks the calling thread until the first value, then cancels the run: for a script, a test, or the start of an
    /// app.
    ///
    /// ```swift
    /// let store = try SQLiteRepository(.inMemory, entities: Movie.self)
    /// func count(with movie: Movie) throws -> Int {
    ///     try store.create(movie).wait()
    ///     return try store.count(Movie.self).wait()
    /// }
    /// print(try count(with: movie))  // 1
    /// ```
    /// A read or a write is done on this thread when a connection is free for it, with no other thread to wake: for
    /// one-shots that depend on one another this is the fastest form. In `async` code use `value()`, which holds no
    /// thread.
    ///
    /// - Delivery: the first value. Stages after the signal run on this thread too, unless one moves them; do not move
    ///   them to a queue that this thread keeps, such as the main queue.
    /// - Failure: the signal's, when it comes before a value; `.noValue` when it finishes without one; `.misuse` inside
    ///   a transaction or a `read` of this or another repository, which has synchronous verbs of its own.
    @available(*, noasync, message: "Use value(), which waits without holding a thread.")
    @discardableResult
    public func wait() throws(RepositoryError) -> Value {
        guard let first = try Waiter(self).outcome().get() else { throw .noValue }
        return first
    }
}

extension Signal where Failure == Never {
    /// Blocks the calling thread until the first value; see the other `wait()`.
    ///
    /// ```swift
    /// func end() throws {
    ///     try repository.close().wait()
    /// }
    /// ```
    /// - Delivery: the first value.
    /// - Failure: `.noValue` when it finishes without one; `.misuse` inside a transaction or a `read`.
    @available(*, noasync, message: "Use value(), which waits without holding a thread.")
    @discardableResult
    public func wait() throws(RepositoryError) -> Value {
        guard case .success(let value?) = try Waiter(self).outcome() else { throw .noValue }
        return value
    }
}

/// A thread that waits for the first value of a signal.
private final class Waiter<Value: Sendable, Failure: Error>: Sendable {
    private struct State {
        var outcome: Result<Value?, Failure>?
        var upstream: Upstream?
        /// What the thread sleeps on, if it does.
        var alarm: DispatchSemaphore?
    }

    private let signal: Signal<Value, Failure>
    private let state = Lock(State())

    init(_ signal: Signal<Value, Failure>) { self.signal = signal }

    /// Waits for the first value, or the end.
    func outcome() throws(RepositoryError) -> Result<Value?, Failure> {
        guard ThreadRole.current != .database else {
            throw .misuse(
                detail: "wait() was called inside a transaction or a read, whose body has verbs that need not wait")
        }
        ThreadRole.waiting.during {
            signal.attach(
                Sink(
                    onUpstream: { self.begin($0) },
                    onValue: { value in
                        self.end(.success(value))
                        return .none
                    },
                    onCompletion: { completion in
                        if case .failure(let failure) = completion {
                            self.end(.failure(failure))
                        } else {
                            self.end(.success(nil))
                        }
                    }))
        }
        return sleep()
    }

    private func begin(_ upstream: Upstream) {
        state.withLock { $0.upstream = upstream }
        upstream.request(.max(1))
    }

    private func end(_ outcome: Result<Value?, Failure>) {
        let alarm = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            return state.alarm
        }
        alarm?.signal()
    }

    private func sleep() -> Result<Value?, Failure> {
        while true {
            let (outcome, upstream) = state.withLock { state in
                if state.outcome == nil, state.alarm == nil { state.alarm = DispatchSemaphore(value: 0) }
                return (state.outcome, state.outcome == nil ? nil : state.upstream.take())
            }
            if let outcome {
                upstream?.cancel()
                return outcome
            }
            state.withLock { $0.alarm }?.wait()
        }
    }
}
