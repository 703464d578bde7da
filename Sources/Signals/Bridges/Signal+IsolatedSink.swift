extension Signal {
    /// Runs the signal and calls the closures on the caller's actor, so that they may use the actor's state.
    ///
    /// At most `bufferSize` values wait for the actor. `strategy` handles further values, since a hot source does not
    /// wait. Outside an actor the call does not compile: use `sink`, or the overload with `on:`.
    ///
    /// ```swift
    /// @MainActor
    /// final class Counter {
    ///     var count = 0
    ///     var token: SignalToken?
    ///     func follow(_ numbers: Signal<Int, Never>) {
    ///         token = numbers.isolatedSink(bufferSize: 100, whenFull: .dropOldest) { [weak self] in self?.count = $0 }
    ///     }
    /// }
    /// ```
    ///
    /// - Delivery: on the caller's actor, in order. The signal is attached before the call returns, and the first value
    ///   is delivered after it has returned. With `.suspend`, the sink requests `bufferSize` values, and more once half
    ///   of them have been taken. A cold source then waits, and a hot source applies its own strategy. With any other
    ///   strategy, demand is unlimited, `bufferSize` values are buffered, and at most 16 more are on their way to the
    ///   actor. After 16 values in a row, the sink yields the actor, so that other work, such as a cancel, gets a turn.
    /// - Failure: passed to `onCompletion`. With `.fail`, an overflow of the buffer also fails the run.
    /// - Returns: a token, which ends with the run; releasing the token cancels the run.
    public func isolatedSink(
        bufferSize: Int, whenFull strategy: BufferingStrategy<Failure>,
        isolation: isolated any Actor = #isolation,
        onValue: @escaping (Value) -> Void,
        onCompletion: @escaping (Completion<Failure>) -> Void = { _ in }
    ) -> SignalToken {
        let run = IsolatedRun(self, bufferSize: bufferSize, whenFull: strategy)
        let task = Task {
            // Capturing the actor makes the task run on it.
            _ = isolation
            var iterator = SignalValues<Value, Failure>.AsyncIterator(run.sink)
            do throws(Failure) {
                while let value = try await iterator.next(isolation: isolation) {
                    if run.attachment.isClosed { return }
                    onValue(value)
                }
                if run.attachment.end() { onCompletion(.finished) }
            } catch {
                if run.attachment.end() { onCompletion(.failure(error)) }
            }
        }
        return run.token(cancelling: task)
    }

    /// Runs the signal and calls the closures on an actor, without retaining the actor.
    ///
    /// In an actor, a closure with `[weak self]` is not isolated to that actor, so a closure passed to the overload
    /// without `on:` must retain `self`. The closures of this overload receive the actor as an argument.
    ///
    /// ```swift
    /// actor Counter {
    ///     var count = 0
    ///     var token: SignalToken?
    ///     func follow(_ numbers: Signal<Int, Never>) {
    ///         token = numbers.isolatedSink(on: self, bufferSize: 16, whenFull: .suspend) { counter, number in
    ///             counter.count += number
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// - Delivery: the same as for the overload without `on:`, but on `actor`. The first value after the actor was
    ///   released cancels the run.
    /// - Failure: passed to `onCompletion`. With `.fail`, an overflow of the buffer also fails the run.
    /// - Returns: a token, which ends with the run; releasing the token cancels the run.
    public func isolatedSink<Owner: Actor>(
        on actor: Owner, bufferSize: Int, whenFull strategy: BufferingStrategy<Failure>,
        onValue: @escaping @Sendable (isolated Owner, Value) -> Void,
        onCompletion: @escaping @Sendable (isolated Owner, Completion<Failure>) -> Void = { _, _ in }
    ) -> SignalToken {
        let run = IsolatedRun(self, bufferSize: bufferSize, whenFull: strategy)
        let task = Task { [weak actor] in
            var iterator = SignalValues<Value, Failure>.AsyncIterator(run.sink)
            let completion: Completion<Failure>
            do throws(Failure) {
                while let value = try await iterator.next(isolation: nil) {
                    guard let actor else { return run.attachment.cancel() }
                    // Checks for a cancel on the actor, which may have cancelled the run since the value was taken.
                    await actor.perform { if !run.attachment.isClosed { onValue($0, value) } }
                }
                completion = .finished
            } catch {
                completion = .failure(error)
            }
            // A cancel also ends the loop, but delivers nothing to the actor.
            guard !run.attachment.isClosed, let actor else { return run.attachment.cancel() }
            await actor.perform { if run.attachment.end() { onCompletion($0, completion) } }
        }
        return run.token(cancelling: task)
    }
}

extension Actor {
    fileprivate func perform(_ body: @Sendable (isolated Self) -> Void) { body(self) }
}

/// One run that delivers to an actor.
///
/// A task takes the values from `sink`; the token cancels through `attachment`.
private struct IsolatedRun<Value: Sendable, Failure: Error>: Sendable {
    let sink: LoopSink<Value, Failure>
    let attachment = Attachment()

    /// Attaches the signal at once, not on the actor's next turn, so that values sent right after the call arrive.
    init(_ signal: Signal<Value, Failure>, bufferSize: Int, whenFull strategy: BufferingStrategy<Failure>) {
        precondition(bufferSize > 0, "isolatedSink(bufferSize:whenFull:) needs a buffer size of one or more.")
        if case .suspend = strategy {
            sink = LoopSink(signal, prefetch: bufferSize, stretch: 16)
        } else {
            sink = LoopSink(signal.buffer(size: bufferSize, whenFull: strategy), prefetch: 16, stretch: 16)
        }
        sink.begin()
    }

    func token(cancelling task: Task<Void, Never>) -> SignalToken {
        attachment.receive(
            upstream: Upstream(
                request: { _ in },
                cancel: { [sink] in
                    // Cancels the task first. Otherwise, the task could mistake the end of its loop for the end of the
                    // signal.
                    task.cancel()
                    sink.cancel()
                }))
        return SignalToken(attachment)
    }
}
