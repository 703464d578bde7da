import Dispatch

/// A running total of the values that arrive in a sink.
///
/// Unchecked but safe because the values of one run arrive one after another, and the sum is read after the last one.
final class Tally: @unchecked Sendable {
    private(set) var sum = 0
    private(set) var count = 0

    func add(_ value: Int) {
        sum &+= value
        count += 1
    }
}

/// Hides a value from the optimizer, so that no loop over it is computed at compile time.
@inline(never)
func opaque<Value>(_ value: Value) -> Value {
    value
}

/// Runs asynchronous work on the concurrent executor and waits for its result.
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
