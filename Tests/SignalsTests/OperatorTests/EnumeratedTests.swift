import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct EnumeratedTests {
    @Test("S2 the numbers begin at zero, in each run") func numbers() {
        let signal = Signal<String, Never>.sequence(["a", "b", "c"]).enumerated().map { "\($0.offset)\($0.element)" }
        for _ in 0..<2 { #expect(signal.record().history.map { "\($0)" }.count == 5) }
        #expect(signal.record().values == ["0a", "1b", "2c"])
        let part = signal.record(demand: .max(2))
        #expect(part.values == ["0a", "1b"])
        // A run that has not ended retains its recorder.
        part.cancel()
    }

    @Test func passesOnAFailure() {
        let recorder = Signal<Int, LawFailure>.just(7).append(.fail(LawFailure(2))).enumerated().map(\.offset).record()
        #expect(recorder.history == [.upstream, .value(0), .failure(LawFailure(2))])
    }
}
