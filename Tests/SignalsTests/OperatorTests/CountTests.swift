import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct CountTests {
    @Test func countsAtTheFinish() {
        #expect(Signal<Int, Never>.sequence(1...7).count().record().history == [.upstream, .value(7), .finished])
        #expect(Signal<Int, Never>.empty().count().record().values == [0])
    }

    @Test("S12 a failure comes in place of the count") func failure() {
        let signal = Signal<Int, LawFailure>.sequence(1...3).append(.fail(LawFailure()))
        #expect(signal.count().record().history == [.upstream, .failure(LawFailure())])
    }

    @Test("S3 S14 nothing is requested before the count is") func demand() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.count().record(demand: .none)
        #expect(probe.outstanding() == .none)
        recorder.request(.max(1))
        #expect(probe.outstanding() == .unlimited)
        recorder.cancel()
    }
}
