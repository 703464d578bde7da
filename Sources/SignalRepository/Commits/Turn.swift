import Dispatch
import Signals

/// The right to do lengthy work, which one thread has at a time.
///
/// No lock is held during the work: a turn is part of a locked state, and is taken and given up under the lock. A
/// thread that gives it up wakes one that waits, which may find it taken again: a thread that needs it often does not
/// wait for another to wake up.
package struct Turn: Sendable {
    package private(set) var isTaken = false
    private var waiting: [DispatchSemaphore] = []

    package init() {}

    /// Takes it, or returns what to wait for before the next attempt.
    package mutating func take() -> DispatchSemaphore? {
        guard isTaken else {
            isTaken = true
            return nil
        }
        let wake = DispatchSemaphore(value: 0)
        waiting.append(wake)
        return wake
    }

    /// Gives it up; returns what wakes a thread that waits.
    package mutating func pass() -> DispatchSemaphore? {
        isTaken = false
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

package protocol TakesTurns {
    var turn: Turn { get set }
}

extension Lock where State: TakesTurns {
    /// Waits until the turn is the caller's, and reads the state then.
    package func takeTurn<Output>(_ read: (inout State) -> Output) -> Output {
        while true {
            var output: Output?
            let wake = withLock { state in
                let wake = state.turn.take()
                if wake == nil { output = read(&state) }
                return wake
            }
            if let output { return output }
            wake?.wait()
        }
    }

    package func takeTurnIfFree<Output>(_ read: (inout State) -> Output) -> Output? {
        withLock { state in
            guard !state.turn.isTaken else { return nil }
            _ = state.turn.take()
            return read(&state)
        }
    }

    package func passTurn<Output>(_ change: (inout State) -> Output) -> Output {
        let (output, wake) = withLock { state in
            let output = change(&state)
            return (output, state.turn.pass())
        }
        wake?.signal()
        return output
    }
}
