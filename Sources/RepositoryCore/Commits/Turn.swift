import Dispatch
import Signals

/// The exclusive right to do lengthy work: only one thread has it at a time.
///
/// The turn is part of a state behind a lock. A thread locks the state to take the turn and to pass it on, but not
/// during the work. Passing the turn on wakes a waiting thread, but does not reserve the turn for it: a running thread
/// may take the turn first. So a thread that often needs the turn does not wait until another thread has woken up.
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

    /// Gives the turn up; returns the semaphore of a waiting thread, which the caller must signal, or `nil`.
    package mutating func pass() -> DispatchSemaphore? {
        isTaken = false
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

package protocol TakesTurns {
    var turn: Turn { get set }
}

extension Lock where State: TakesTurns {
    /// Waits for the turn and takes it, and calls `read` with the state.
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
