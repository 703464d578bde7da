extension Signal {
    /// The values as an asynchronous sequence, which requests a few values at a time.
    ///
    /// ```swift
    /// for await number in Signal<Int, Never>.sequence(1...3).values {
    ///     print(number)  // 1 2 3
    /// }
    /// ```
    @inlinable
    public var values: SignalValues<Value, Failure> { values(prefetch: 16) }

    /// Returns the values as an asynchronous sequence that buffers up to `prefetch` values ahead of its loop.
    ///
    /// - Delivery: each value once, in order. Each loop is a separate run, which begins with the first `next()`.
    ///   Releasing the iterator, as `break` does, cancels the run. Cancelling the task cancels the run, too, and ends
    ///   the loop after at most `prefetch` more values. A loop that never has to wait yields its actor every 1,024
    ///   values. If a hot source is faster than the loop, a preceding `buffer(size:whenFull:)` handles the excess
    ///   values; without such a buffer, the policy of the source applies.
    /// - Failure: the signal's, thrown after the values that came before it.
    @inlinable
    public func values(prefetch: Int) -> SignalValues<Value, Failure> {
        precondition(prefetch > 0, "values(prefetch:) needs a prefetch of one or more.")
        return SignalValues(signal: self, prefetch: prefetch)
    }
}

/// The values of a signal, to be iterated with `for await`.
public struct SignalValues<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// The type of a value.
    public typealias Element = Value

    @usableFromInline let signal: Signal<Value, Failure>
    @usableFromInline let prefetch: Int

    @inlinable
    init(signal: Signal<Value, Failure>, prefetch: Int) {
        self.signal = signal
        self.prefetch = prefetch
    }

    /// Creates the iterator of one run.
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(LoopSink(signal, prefetch: prefetch, stretch: 1_024))
    }

    /// The iterator of one run; releasing the iterator cancels the run.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let handle: Handle

        @inlinable
        init(_ sink: LoopSink<Value, Failure>) { handle = Handle(sink) }

        /// Waits for the next value; returns nil at the end, or if the task is cancelled.
        @inlinable @inline(__always)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
            let sink = handle.sink
            while true {
                if !sink.isPauseDue, let taken = sink.take() { return try taken.get() }
                // One call handles all rare cases, so that the common case is inlined into the loop. Calling a function
                // for each value would take twice as long.
                await sink.rest()
            }
        }

        /// Waits for the next value; returns nil at the end, or if the task is cancelled.
        @inlinable
        public mutating func next() async throws(Failure) -> Value? { try await next(isolation: nil) }

        /// An object that cancels the run when the last copy of the iterator is released.
        @usableFromInline
        final class Handle: Sendable {
            @usableFromInline let sink: LoopSink<Value, Failure>

            @inlinable
            init(_ sink: LoopSink<Value, Failure>) { self.sink = sink }

            @inlinable
            deinit { sink.cancel() }
        }
    }
}

// This conformance exists only for its message, which the compiler shows for a loop over the signal itself. The
// compiler also shows it for an operator with an async closure, because `AsyncSequence` has such operators.
@available(
    *, unavailable,
    message: """
        loop over the values of a signal: for try await value in signal.values; run an async closure as a task: \
        concatMap { value in .task { await work(value) } }
        """
)
extension Signal: AsyncSequence {
    /// Unavailable; iterate over `values` instead.
    public func makeAsyncIterator() -> SignalValues<Value, Failure>.AsyncIterator { values.makeAsyncIterator() }
}
