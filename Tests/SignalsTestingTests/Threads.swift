import Dispatch
import Foundation
import SignalsTesting

/// Runs work on a thread of its own, and waits for it.
func onAnotherThreadAndBack(_ work: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread {
        work()
        done.signal()
    }.start()
    done.wait()
}

/// Runs work on a thread of its own, and waits for it without blocking.
func onAnotherThread(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread {
            work()
            continuation.resume()
        }.start()
    }
}

/// Verifies up to twenty times, until a law has found a breach of a clause.
///
/// What hangs on how threads meet may be missed once, and is no law's fault.
func untilFound(_ law: String, _ clause: String, _ verify: () -> [Breach]) -> [Breach] {
    var found: [Breach] = []
    for _ in 0..<20 {
        found = verify()
        if found.contains(where: { $0.law == law && $0.clause == clause }) { break }
    }
    return found
}
