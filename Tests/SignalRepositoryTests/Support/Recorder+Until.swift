import Signals
import SignalsTesting
import Testing

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
    /// An earlier value may have passed the test before others replaced it.
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

    /// Waits until the last value so far passes the test, and expects that it does.
    func reaches(sourceLocation: SourceLocation = #_sourceLocation, _ isWanted: (Value) -> Bool) async {
        let last = await last(where: isWanted)
        #expect(last.map(isWanted) == true, "\(String(describing: last))", sourceLocation: sourceLocation)
    }
}
