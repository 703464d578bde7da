import Signals
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ShareTests {
    @Test("S2 S34 S38 S39") func laws() {
        report(Laws.verifyMulticast(replays: 0) { $0.share() })
        report(Laws.verifyMulticast(replays: 0) { $0.share(bufferSize: 4, whenFull: .dropOldest) })
    }

    @Test(
        "S23 a sink that is behind gets what the strategy keeps",
        arguments: [
            (0, BufferingStrategy<Never>.dropNewest, [1]), (1, .dropOldest, [1, 4]), (2, .dropNewest, [1, 2, 3]),
        ])
    func buffering(size: Int, strategy: BufferingStrategy<Never>, expected: [Int]) {
        let source = Broadcast<Int, Never>()
        let recorder = source.signal.share(bufferSize: size, whenFull: strategy).record(demand: .max(1))
        for number in 1...4 { source.send(number) }
        recorder.request(.unlimited)
        #expect(recorder.values == expected)
        recorder.cancel()
    }

    @Test("S38 a source that ends while it is attached serves its first sink whole") func synchronous() {
        let shared = Signal<Int, Never>.sequence(1...3).share()
        #expect(shared.record().history == [.upstream, .value(1), .value(2), .value(3), .finished])
        #expect(shared.record().values == [1, 2, 3])
    }

    @Test("S38 a sink that attaches inside the first value joins the same run") func inside() {
        let attached = Count()
        let source = Broadcast<Int, Never>()
        let shared = Signal<Int, Never>.deferred {
            attached.raise(); return source.signal
        }.share()
        let late = Recorder<Int, Never>()
        let first = shared.record { _, event in if case .value(1) = event { shared.attach(late.sink) } }
        source.send(1)
        source.send(2)
        #expect(first.values == [1, 2] && late.values == [2] && attached.value == 1)
        first.cancel()
        late.cancel()
    }
}
