import Dispatch
import Foundation
import Synchronization

/// Judges many mutants, several at once, and reports each verdict immediately.
struct Court: Sendable {
    let judge: Judge
    let jobs: Int
    let log: @Sendable (String) -> Void

    private struct State {
        var rest: ArraySlice<Mutant>
        var count = 0
        var fault: (any Error)?
    }

    /// Judges mutants; `onVerdict` is called by one thread at a time.
    ///
    /// The first error ends all threads, and is thrown when they have ended.
    func judge(_ mutants: [Mutant], onVerdict: @Sendable (Mutant, Verdict) -> Void) throws {
        let state = Mutex(State(rest: mutants[...]))
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            while let mutant = state.withLock({ $0.fault == nil ? $0.rest.popFirst() : nil }) {
                do {
                    let verdict = try judge.verdict(on: mutant)
                    state.withLock { state in
                        state.count += 1
                        log("\(state.count)/\(mutants.count) \(mutant.number) \(mutant.place) \(verdict)")
                        onVerdict(mutant, verdict)
                    }
                } catch {
                    state.withLock { if $0.fault == nil { $0.fault = error } }
                }
            }
        }
        if let fault = state.withLock({ $0.fault }) { throw fault }
    }
}
