import Dispatch
import Foundation
import Signals

/// The timeout of a wait in a test.
///
/// Code that keeps the contract never needs so much time. At the timeout, the waiting call returns what it has
/// received. It also writes to standard error what it waited for and what has happened so far.
public enum Patience {
    /// The timeout in seconds: 120, or the number in the environment variable `PATIENCE`.
    ///
    /// A run with a sanitizer needs a longer timeout.
    ///
    /// A test of code that is meant to hang sets a shorter timeout, with `$seconds.withValue`.
    @TaskLocal public static var seconds =
        ProcessInfo.processInfo.environment["PATIENCE"].flatMap(Int.init) ?? 120

    /// Writes to standard error that a wait has reached its timeout, and what has happened until then.
    package static func report(_ wait: String, _ happened: String, seconds: Int = seconds) {
        FileHandle.standardError.write(Data("Gave up after \(seconds) seconds waiting for \(wait): \(happened)\n".utf8))
    }

    /// Waits for the result of async work.
    ///
    /// At the timeout, cancels the work without waiting for its end, and returns nil.
    package static func result<Value: Sendable>(
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
                // The history is read before the waiting task resumes, since that task may release the objects that
                // `history` reads.
                let happened = history()
                guard resume(nil) else { return }
                working.cancel()
                report(what, happened, seconds: seconds)
            }
        }
    }
}
