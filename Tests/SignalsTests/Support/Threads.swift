@testable import SignalsLaws

/// Runs work on `count` threads at once, and waits for all of them; returns whether all returned in time.
@discardableResult
func onThreads(_ count: Int, stackSize: Int? = nil, _ work: @escaping @Sendable (Int) -> Void) -> Bool {
    Crew.run(count, stackSize: stackSize, work)
}

/// Runs work on a thread with a stack of 512 KiB, and waits for it.
@discardableResult
func onSmallStack(_ work: @escaping @Sendable () -> Void) -> Bool {
    onThreads(1, stackSize: 512 * 1_024) { _ in work() }
}
