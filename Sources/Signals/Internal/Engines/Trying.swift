/// The decision of a stage about a value.
@usableFromInline
enum Verdict<Output> {
    case deliver(Output)
    /// The value is dropped, and one more value is requested instead (Contract.md, S17).
    case drop
    /// The run finishes, and the upstream is cancelled.
    case finish
}

extension Signal {
    /// Returns a signal that passes each value through `decide`, which may drop the value or finish the run.
    ///
    /// An error that `decide` throws cancels the upstream and fails the run.
    ///
    /// Each run has its own state, which begins as `initial`. The stage is always inlined into the operator, because
    /// with one more call the compiler would not fuse it into the loop.
    @inlinable @inline(__always)
    func trying<State: Sendable, Output>(
        _ initial: State, stage: StaticString,
        _ decide: @escaping @Sendable (inout State, Value) throws(Failure) -> Verdict<Output>
    ) -> Signal<Output, Failure> {
        lift { next in
            let cut = Cut(next, ())
            // The state is not a property of the cut, because a cancel may access the cut on another thread, and
            // ThreadSanitizer treats a change of a property as a change of the whole object.
            let state = Serial(initial)
            return Sink(
                onUpstream: { cut.receive(upstream: $0, for: next) },
                onValue: { value in
                    let verdict: Verdict<Output>
                    do throws(Failure) {
                        verdict = try decide(&state.state, value)
                    } catch {
                        return cut.end(.failure(error), stage: stage)
                    }
                    switch verdict {
                    case .deliver(let output): return next.receive(output)
                    case .drop: return .max(1)
                    case .finish: return cut.end(.finished, stage: stage)
                    }
                },
                onCompletion: { cut.pass($0) })
        }
    }
}
