import Dispatch
import Signals

extension Signal where Failure == RepositoryError {
    /// Blocks the calling thread until the first value arrives, then cancels the run: for a script, a test, or the
    /// start of an app.
    ///
    /// ```swift
    /// let store = try SQLiteRepository(.inMemory, entities: Movie.self)
    /// func count(with movie: Movie) throws -> Int {
    ///     try store.create(movie).wait()
    ///     return try store.count(Movie.self).wait()
    /// }
    /// print(try count(with: movie))  // 1
    /// ```
    /// If a connection is free, the calling thread does the read or write itself, without waking another thread. This
    /// is the fastest way to do several reads or writes that need each other's results. In `async` code, use `value()`,
    /// which blocks no thread.
    ///
    /// - Delivery: the first value. The operators before `wait()` also run on this thread, unless one of them moves
    ///   values to another queue. Do not move values to a queue that this thread blocks, such as the main queue.
    /// - Failure: the signal's failure, if it comes before a value; `.noValue` if the signal finishes without a value;
    ///   `.misuse` in the body of a transaction or a `read` of any repository; there, use the body's handle instead.
    @available(*, noasync, message: "Use value(), which waits without blocking a thread.")
    @discardableResult
    public func wait() throws(RepositoryError) -> Value {
        try firstValue { $0 }
    }
}

extension Signal where Failure == Never {
    /// Blocks the calling thread until the first value arrives; see `wait()` of a signal that can fail.
    ///
    /// ```swift
    /// func end() throws {
    ///     try repository.close().wait()
    /// }
    /// ```
    /// - Delivery: the first value.
    /// - Failure: `.noValue` if the signal finishes without a value; `.misuse` inside a transaction or a `read`.
    @available(*, noasync, message: "Use value(), which waits without blocking a thread.")
    @discardableResult
    public func wait() throws(RepositoryError) -> Value {
        try firstValue(nil)
    }
}

extension Signal {
    /// Waits for the first value; `typed` converts the signal's failure to an error, and is `nil` if the signal cannot
    /// fail.
    fileprivate func firstValue(
        _ typed: (@Sendable (Failure) -> RepositoryError)?
    ) throws(RepositoryError) -> Value {
        guard !ThreadContext.isWorking else {
            throw .misuse(
                detail: "wait() was called inside a transaction or a read; use the methods of its handle instead")
        }
        let waiter = Waiter()
        ThreadContext.wait {
            run(
                into: Sink(
                    onUpstream: { waiter.begin($0) },
                    onValue: { value in
                        waiter.end(nil) { waiter.value.fill(value) }
                        return .none
                    },
                    onCompletion: { completion in
                        guard case .failure(let failure) = completion, let typed else { return waiter.end(.noValue) }
                        waiter.end(typed(failure))
                    }))
        }
        if let error = waiter.sleep() { throw error }
        return waiter.value.take(as: Value.self)
    }
}

/// A thread that waits for the first event of a signal.
///
/// Unchecked but safe, because `value` is stored once, under the lock, at the first event. It is taken only after
/// `sleep()`, which locks again after that event.
private final class Waiter: @unchecked Sendable {
    private struct State {
        var isOver = false
        var error: RepositoryError?
        var upstream: Upstream?
        /// The semaphore that the thread waits on; `nil` if it does not wait.
        var semaphore: DispatchSemaphore?
    }

    private let state = Lock(State())
    /// The value; empty if the first event was a completion.
    var value = Slot()

    func begin(_ upstream: Upstream) {
        state.withLock { $0.upstream = upstream }
        upstream.request(.max(1).opened)
    }

    /// Records the first event (an error, or a value that `store` stores), and wakes the thread; ignores later events.
    func end(_ error: RepositoryError?, _ store: () -> Void = {}) {
        let semaphore = state.withLock { state in
            if !state.isOver {
                state.error = error
                store()
            }
            state.isOver = true
            return state.semaphore
        }
        semaphore?.signal()
    }

    /// Waits for the first event and cancels the run; returns the event's error, or `nil` if it was a value.
    func sleep() -> RepositoryError? {
        let semaphore = state.withLock { state in
            if !state.isOver { state.semaphore = DispatchSemaphore(value: 0) }
            return state.semaphore
        }
        semaphore?.wait()
        let (error, upstream) = state.withLock { state in (state.error, state.upstream.take()) }
        upstream?.cancel()
        return error
    }
}
