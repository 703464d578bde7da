import Dispatch
import Foundation

/// Runs work on as many threads at once, and waits for all of them; false when one has not come back in four minutes.
@discardableResult
func onThreads(_ count: Int, stackSize: Int? = nil, _ work: @escaping @Sendable (Int) -> Void) -> Bool {
    let group = DispatchGroup()
    for index in 0..<count {
        group.enter()
        let thread = Thread {
            work(index)
            group.leave()
        }
        if let stackSize { thread.stackSize = stackSize }
        thread.start()
    }
    return group.wait(timeout: .now() + 240) == .success
}

/// Runs work on a thread with a stack of 512 KiB, and waits for it.
@discardableResult
func onSmallStack(_ work: @escaping @Sendable () -> Void) -> Bool {
    onThreads(1, stackSize: 512 * 1_024) { _ in work() }
}
