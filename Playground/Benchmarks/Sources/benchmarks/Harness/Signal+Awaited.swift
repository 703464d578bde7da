import Dispatch
import SignalRepository

extension Signal where Failure == RepositoryError {
    /// Waits for the first value as a suspended task does, unlike `wait()`, which works on the waiting thread.
    func awaited() throws(RepositoryError) -> Value {
        let answer = Answer<Value>()
        let token = sink(
            onValue: { answer.give(.success($0)) },
            onCompletion: { completion in
                if case .failure(let error) = completion { answer.give(.failure(error)) }
            })
        defer { token.cancel() }
        return try answer.wait()
    }
}

/// The outcome of one signal.
///
/// Unchecked but safe because the result is set once, before the semaphore is signalled, and read after that.
private final class Answer<Value: Sendable>: @unchecked Sendable {
    private let isThere = DispatchSemaphore(value: 0)
    private var result = Result<Value, RepositoryError>.failure(.cancelled)

    func give(_ result: Result<Value, RepositoryError>) {
        self.result = result
        isThere.signal()
    }

    func wait() throws(RepositoryError) -> Value {
        isThere.wait()
        return try result.get()
    }
}
