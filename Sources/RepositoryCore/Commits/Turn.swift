import Dispatch
import Signals

/// The right to do lengthy work, which one thread has at a time.
///
/// No lock is held during the work: a turn is part of a locked state, and is taken and passed on under the lock. A
/// thread that passes it on wakes a waiting one, which may find it taken again. So a thread that often needs the turn
/// does not wait for another to wake up.
package struct Turn: Sendable {
    package private(set) var isTaken = false
    private var waiting: [DispatchSemaphore] = []

    package init() {}

    /// Takes the turn, or returns a semaphore to wait on before the next attempt.
    package mutating func take() -> DispatchSemaphore? {
        guard isTaken else {
            isTaken = true
            return nil
        }
        let wake = DispatchSemaphore(value: 0)
        waiting.append(wake)
        return wake
    }

    /// Passes the turn on; returns the semaphore of a waiting thread, which the caller must signal.
    package mutating func pass() -> DispatchSemaphore? {
        isTaken = false
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

package protocol TakesTurns {
    var turn: Turn { get set }
}

extension Lock where State: TakesTurns {
    /// Waits for the turn, takes it, and reads the state.
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
