import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct ReplaceEmptyTests {
    @Test func onlyAnEmptySignalGetsTheValue() {
        #expect(Signal<Int, Never>.empty().replaceEmpty(with: 7).record().history == [.upstream, .value(7), .finished])
        #expect(Signal<Int, Never>.just(1).replaceEmpty(with: 7).record().values == [1])
        let failed = Signal<Int, LawFailure>.fail(LawFailure()).replaceEmpty(with: 7)
        #expect(failed.record().history == [.upstream, .failure(LawFailure())])
    }

    @Test("S14 the value waits for a request") func demand() {
        let recorder = Signal<Int, Never>.empty().replaceEmpty(with: 7).record(demand: .none)
        #expect(recorder.history == [.upstream])
        recorder.request(.max(1))
        #expect(recorder.history == [.upstream, .value(7), .finished])
    }
}
