import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct MaterializeTests {
    @Test func valuesAndTheEndAreValues() {
        let recorder = Signal<Int, LawFailure>.just(1).append(.fail(LawFailure(2))).materialize().record()
        #expect(
            recorder.history == [.upstream, .value(.value(1)), .value(.completion(.failure(LawFailure(2)))), .finished])
    }

    @Test func andBack() {
        let events: [SignalEvent<Int, LawFailure>] = [.value(1), .completion(.failure(LawFailure(3))), .value(2)]
        let recorder = Signal<SignalEvent<Int, LawFailure>, Never>.sequence(events).dematerialize().record()
        #expect(recorder.history == [.upstream, .value(1), .failure(LawFailure(3))])
    }
}
