import Signals
import SignalsTesting

extension Recorder {
    /// Waits until a value passes the test, or the end, and returns the values.
    @discardableResult
    func values(until isLast: (Value) -> Bool) async -> [Value] {
        var seen = values
        var checked = 0
        while !seen.dropFirst(checked).contains(where: isLast), !isEnded {
            checked = seen.count
            seen = await values(checked + 1)
            // Nothing more came in time.
            if seen.count == checked { break }
        }
        return values
    }

    /// Waits until the last value so far passes the test, or the end, and returns the last value.
    ///
    /// One that has come back may have passed it before.
    @discardableResult
    func last(where isWanted: (Value) -> Bool) async -> Value? {
        var seen = values
        while !(seen.last.map(isWanted) ?? false), !isEnded {
            let count = seen.count
            seen = await values(count + 1)
            // Nothing more came in time.
            if seen.count == count { break }
        }
        return values.last
    }
}
