import Foundation

/// Hears the values of something live, and lets the main thread wait for the one that it expects.
///
/// Unchecked but safe because everything is guarded by the lock.
final class Listener<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private let isThere = DispatchSemaphore(value: 0)
    private var isExpected: ((Value) -> Bool)?

    /// Makes a listener that waits for so many values, whatever they are.
    init(first count: Int) {
        var heard = 0
        isExpected = { _ in
            heard += 1
            return heard == count
        }
    }

    /// Takes a value, on any thread.
    func hear(_ value: Value) {
        lock.lock()
        defer { lock.unlock() }
        guard let isExpected, isExpected(value) else { return }
        self.isExpected = nil
        isThere.signal()
    }

    /// Says what to wait for next.
    func expect(_ isExpected: @escaping (Value) -> Bool) {
        lock.lock()
        self.isExpected = isExpected
        lock.unlock()
    }

    /// Waits until the expected value has come.
    func wait() {
        isThere.wait()
    }
}
