extension Signal {
    /// Waits for the first value, and cancels the run then.
    ///
    /// ```swift
    /// let first = await Signal<Int, Never>.sequence(1...3).first()
    /// print(first as Any)  // Optional(1)
    /// ```
    ///
    /// - Delivery: the first value; nil when the signal finishes without one, or when the task is cancelled, which
    ///   cancels the run.
    /// - Failure: the signal's, when it comes before a value.
    public func first() async throws(Failure) -> Value? {
        let waiter = FirstWaiter<Value, Failure>()
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in waiter.wait(for: self, continuation) }
        } onCancel: {
            waiter.resume(.success(nil))
        }
        return try waiter.outcome.get()
    }
}

/// Resumes one continuation once, whichever of a value, an end and a cancel comes first.
///
/// The continuation is an unsafe one, which is safe because it leaves the lock exactly once, to be resumed. What it is
/// resumed for passes through the lock, not through the continuation.
private final class FirstWaiter<Value: Sendable, Failure: Error>: Sendable {
    typealias Outcome = Result<Value?, Failure>

    private struct State {
        var continuation: UnsafeContinuation<Void, Never>?
        var outcome: Outcome?
    }

    private let state = Lock(State())
    private let attachment = Attachment()

    /// What came first; nothing, as long as nothing did.
    var outcome: Outcome { state.withLock { $0.outcome } ?? .success(nil) }

    func wait(for signal: Signal<Value, Failure>, _ continuation: UnsafeContinuation<Void, Never>) {
        let isOver = state.withLock { state in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome != nil
        }
        if isOver { return continuation.resume() }
        signal.attach(
            Sink(
                onUpstream: { if self.attachment.receive(upstream: $0) { $0.request(.max(1)) } },
                onValue: { value in
                    self.resume(.success(value))
                    return .none
                },
                onCompletion: { completion in
                    switch completion {
                    case .finished: self.resume(.success(nil))
                    case .failure(let failure): self.resume(.failure(failure))
                    }
                }))
    }

    func resume(_ outcome: Outcome) {
        attachment.cancel()
        let continuation = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.continuation.take()
        }
        continuation?.resume()
    }
}
