import Dispatch

/// Adds up what arrives in a sink.
///
/// Unchecked but safe because the values of one run come one at a time, each after the one before, and the sum is read
/// after the last of them.
final class Tally: @unchecked Sendable {
    private(set) var sum = 0
    private(set) var count = 0

    func add(_ value: Int) {
        sum &+= value
        count += 1
    }
}

/// Hides a value from the optimizer, so that no loop over it is computed while compiling.
@inline(never)
func opaque<Value>(_ value: Value) -> Value {
    value
}

/// Runs asynchronous work on the concurrent executor and waits for what it returns.
func waiting(for work: @escaping @Sendable () async -> Int) -> Int {
    let tally = Tally()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        tally.add(await work())
        done.signal()
    }
    done.wait()
    return tally.sum
}
