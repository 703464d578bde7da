import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct AllSatisfyTests {
    @Test func saysWhetherAllDo() {
        #expect(
            Signal<Int, Never>.sequence([2, 4]).allSatisfy { $0 % 2 == 0 }.record().history == [
                .upstream, .value(true), .finished,
            ])
        #expect(Signal<Int, Never>.empty().allSatisfy { _ in false }.record().values == [true])
    }

    @Test("S27 the first that does not ends it, and cancels the upstream") func endsEarly() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.allSatisfy { $0 < 2 }.record()
        for number in 1...3 { probe.send(number) }
        #expect(recorder.history == [.upstream, .value(false), .finished])
        #expect(probe.history == [.attached, .requested(.unlimited), .cancelled])
    }

    @Test func failsWithItsUpstream() {
        #expect(
            Signal<Int, LawFailure>.fail(LawFailure()).allSatisfy { _ in true }.record().history == [
                .upstream, .failure(LawFailure()),
            ])
    }
}
