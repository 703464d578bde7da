import Signals
import SignalsLaws
import SignalsTesting
import Testing

/// A closure of a throwing operator: throws at 3, and gives everything else back.
@Sendable func tripping(_ value: Int) throws(LawFailure) -> Int {
    if value == 3 { throw LawFailure(3) }
    return value
}

/// Sends 1, 2, 3 and 4 through an operator that calls `tripping`: what it throws must cancel the upstream and be the
/// failure, after `values`, whatever ran before.
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
