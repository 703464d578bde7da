import Dispatch
import Foundation

/// Runs work on a new thread, and blocks until it has ended.
func onAnotherThreadAndBack(_ work: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread {
        work()
        done.signal()
    }.start()
    done.wait()
}

/// Runs work on a new thread, and waits for it without blocking.
func onAnotherThread(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread {
            work()
            continuation.resume()
        }.start()
    }
}
