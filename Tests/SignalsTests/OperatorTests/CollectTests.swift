import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct CollectTests {
    @Test func oneArrayAtTheFinish() {
        let collected: Signal<[Int], Never> = Signal<Int, Never>.sequence(1...3).collect()
        #expect(collected.record().history == [.upstream, .value([1, 2, 3]), .finished])
        let empty: Signal<[Int], Never> = Signal<Int, Never>.empty().collect()
        #expect(empty.record().values == [[]])
    }

    @Test func aFailureComesInPlaceOfTheArray() {
        let signal: Signal<[Int], LawFailure> = Signal<Int, LawFailure>.just(1).append(.fail(LawFailure())).collect()
        #expect(signal.record().history == [.upstream, .failure(LawFailure())])
    }
}
