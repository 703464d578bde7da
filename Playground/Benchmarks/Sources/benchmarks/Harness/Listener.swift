import Foundation

/// A receiver of live values, which lets the main thread wait for the expected one.
///
/// Unchecked but safe because the lock guards everything.
final class Listener<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private let isThere = DispatchSemaphore(value: 0)
    private var isExpected: ((Value) -> Bool)?

    /// Makes a listener that first waits for `count` values, whatever they are.
    init(first count: Int) {
        var heard = 0
        isExpected = { _ in
            heard += 1
            return heard == count
        }
    }

    /// Receives a value, on any thread.
    func hear(_ value: Value) {
        lock.lock()
        defer { lock.unlock() }
        guard let isExpected, isExpected(value) else { return }
        self.isExpected = nil
        isThere.signal()
    }

    /// Sets the test for the next value to wait for.
    func expect(_ isExpected: @escaping (Value) -> Bool) {
        lock.lock()
        self.isExpected = isExpected
        lock.unlock()
    }

    /// Waits until the expected value has arrived.
    func wait() {
        isThere.wait()
    }
}
