/// What a stage does with the value that it was given.
@usableFromInline
enum Verdict<Output> {
    case deliver(Output)
    /// The value is dropped, and another asked for in its place (S17).
    case drop
    /// The run finishes, and the upstream is cancelled.
    case finish
}

extension Signal {
    /// The stage of an operator whose closure may throw, or end the run: `decide` says what becomes of each value, and
    /// an error that it throws cancels the upstream and fails the run.
    ///
    /// Each run begins with a state of its own, `initial`. The stage is always inlined into the operator: one call
    /// deeper, and the compiler would no longer melt it into the loop.
    @inlinable @inline(__always)
    func trying<State: Sendable, Output>(
        _ initial: State,
        _ decide: @escaping @Sendable (inout State, Value) throws(Failure) -> Verdict<Output>
    ) -> Signal<Output, Failure> {
        lift { next in
            let cut = Cut(next, ())
            // Not in the cut, which a cancel reaches from another thread: the sanitizer takes a change of a property
            // for one of the whole object.
            let state = Serial(initial)
            return Sink(
                onUpstream: { cut.receive(upstream: $0, for: next) },
                onValue: { value in
                    let verdict: Verdict<Output>
                    do throws(Failure) {
                        verdict = try decide(&state.state, value)
                    } catch {
                        return cut.end(.failure(error), stage: "try")
                    }
                    switch verdict {
                    case .deliver(let output): return next.receive(output)
                    case .drop: return .max(1)
                    case .finish: return cut.end(.finished, stage: "try")
                    }
                },
                onCompletion: { cut.pass($0) })
        }
    }
}
