import Dispatch
import Signals

extension Patience {
    /// Waits for the result of async work; nil if it has not arrived in time: the work is then cancelled, and
    /// abandoned.
    static func result<Value: Sendable>(
        of what: String, history: @escaping @Sendable () -> String, _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let waiter = Lock<CheckedContinuation<Value?, Never>?>(nil)
        @Sendable func resume(_ value: Value?) -> Bool {
            let found = waiter.withLock { $0.take() }
            found?.resume(returning: value)
            return found != nil
        }
        let seconds = seconds
        return await withCheckedContinuation { continuation in
            waiter.withLock { $0 = continuation }
            let working = Task { _ = resume(await work()) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
                // Requested before the resumption, which may release what reports it.
                let happened = history()
                guard resume(nil) else { return }
                working.cancel()
                report(what, happened, seconds: seconds)
            }
        }
    }
}
