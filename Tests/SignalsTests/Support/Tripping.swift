import Signals
import SignalsLaws
import SignalsTesting
import Testing

/// Throws at 3, and returns every other value: a closure for throwing operators.
@Sendable func tripping(_ value: Int) throws(LawFailure) -> Int {
    if value == 3 { throw LawFailure(3) }
    return value
}

/// Sends 1, 2, 3 and 4 through an operator that calls `tripping`, in two runs.
///
/// In both, the thrown error must cancel the upstream and fail the signal, after `values`.
func expectTrip<Output: Sendable & Equatable>(
    after values: [Output], sourceLocation: SourceLocation = #_sourceLocation,
    _ make: (Signal<Int, LawFailure>) -> Signal<Output, LawFailure>
) {
    let probe = Probe<Int, LawFailure>()
    let signal = make(probe.signal)
    for run in 1...2 {
        let recorder = signal.record()
        for number in 1...4 { probe.send(number) }
        #expect(recorder.values == values, "run \(run)", sourceLocation: sourceLocation)
        #expect(recorder.completion == .failure(LawFailure(3)), "run \(run)", sourceLocation: sourceLocation)
        #expect(probe.history.last == .cancelled && probe.liveCount == 0, sourceLocation: sourceLocation)
        report(recorder.breaches)
    }
    let failed = make(.fail(LawFailure(9))).record()
    #expect(failed.history == [.upstream, .failure(LawFailure(9))], sourceLocation: sourceLocation)
}
