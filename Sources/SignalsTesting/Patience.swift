import Dispatch
import Foundation
import Signals

/// The maximum time that a wait in a test takes.
///
/// Nothing that keeps the contract needs that long. When it is over, the waiting call returns what there is, and writes
/// to standard error what it waited for, and what has happened so far.
public enum Patience {
    /// Two minutes, or the number in the environment variable `PATIENCE`: a sanitizer needs more.
    ///
    /// A test of something that is meant to hang sets less, with `$seconds.withValue`.
    @TaskLocal public static var seconds =
        ProcessInfo.processInfo.environment["PATIENCE"].flatMap(Int.init) ?? 120

    /// Reports that a wait was given up.
    package static func report(_ wait: String, _ happened: String, seconds: Int = seconds) {
        FileHandle.standardError.write(Data("Gave up after \(seconds) seconds waiting for \(wait): \(happened)\n".utf8))
    }

    /// Waits for the result of async work; nil if it has not arrived in time: the work is then cancelled, and
    /// abandoned.
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
                // Requested before the resumption, which may release what reports it.
                let happened = history()
                guard resume(nil) else { return }
                working.cancel()
                report(what, happened, seconds: seconds)
            }
        }
    }
}
