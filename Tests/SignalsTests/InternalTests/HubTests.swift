import SignalsLaws
import SignalsTesting
import Testing

@testable import Signals

@Suite(.timeLimit(.minutes(5))) struct HubTests {
    private func make(
        bufferSize: Int = 0, whenFull strategy: BufferingStrategy<Never> = .dropNewest, replays: Int = 0,
        initial: Int? = nil
    ) -> Hub<Int, LawFailure> {
        Hub(stage: "test", bufferSize: bufferSize, whenFull: strategy, replays: replays, initial: initial)
    }

    @Test("S40 a value goes to all sinks, in the order they attached") func order() {
        let hub = make()
        let order = Lock<[String]>([])
        let tokens = ["a", "b", "c"].map { name in
            hub.signal.sink(
                onValue: { value in order.withLock { $0.append("\(name)\(value)") } }, onCompletion: { _ in })
        }
        hub.send(1)
        tokens[1].cancel()
        hub.send(2)
        #expect(order.withLock { $0 } == ["a1", "b1", "c1", "a2", "c2"])
        withExtendedLifetime(tokens) {}
    }

    @Test("S26 a send inside a delivery waits until all sinks have the first value") func sendInside() {
        let hub = make()
        let first = hub.signal.record { _, event in if case .value(1) = event { hub.send(2) } }
        let second = hub.signal.record { _, event in if case .value(2) = event { hub.send(completion: .finished) } }
        hub.send(1)
        for recorder in [first, second] {
            #expect(recorder.history == [.upstream, .value(1), .value(2), .finished])
            report(recorder.breaches)
        }
    }

    @Test("S39 a new sink begins with the remembered values, as it requests them") func replay() {
        let hub = make(bufferSize: 2, whenFull: .dropOldest, replays: 2, initial: 0)
        #expect(hub.signal.record(cancelAt: 1).values == [0])
        for number in 1...3 { hub.send(number) }
        let late = hub.signal.record(demand: .max(1))
        #expect(late.values == [2])
        hub.send(4)
        late.request(.unlimited)
        #expect(late.values == [2, 3, 4])
        report(late.breaches)
        late.cancel()
    }

    @Test("S10 S39 a sink that attaches after the end gets it, and the values only if they are still replayed")
    func afterTheEnd() {
        for (replaysAfterEnd, expected) in [(false, [Int]()), (true, [2])] {
            let hub = Hub<Int, LawFailure>(
                stage: "test", bufferSize: 1, whenFull: .dropOldest, replays: 1, replaysAfterEnd: replaysAfterEnd)
            hub.send(1)
            hub.send(2)
            hub.send(completion: .failure(LawFailure(1)))
            hub.send(completion: .finished)
            let late = hub.signal.record()
            #expect(late.values == expected && late.completion == .failure(LawFailure(1)))
        }
    }

    @Test("S49 the hub of a released source finishes its sinks once, and replays its values only if told to")
    func finish() {
        for isReplaying in [false, true] {
            let hub = make(bufferSize: 1, whenFull: .dropOldest, replays: 1, initial: 7)
            let early = hub.signal.record()
            hub.finish(replaying: isReplaying)
            hub.finish()
            #expect(early.history == [.upstream, .value(7), .finished])
            #expect(hub.signal.record().values == (isReplaying ? [7] : []))
        }
    }

    @Test("S9 S10 a value or a failure sent after the end is reported") func discards() {
        struct Late: Error, Equatable { let number: Int }
        let discards = Discards(of: Late.self)
        let hub = Hub<Late, Late>(stage: "test", bufferSize: 0)
        hub.send(completion: .finished)
        hub.send(Late(number: 1))
        hub.send(completion: .failure(Late(number: 2)))
        #expect(discards.payloads == [Late(number: 1), Late(number: 2)])
        #expect(discards.stages == ["test", "test"] && discards.reasons == [.afterEnd, .afterEnd])
    }

    @Test("S6 S34 a sink that cancels, even inside a delivery, is released at once") func leaves() {
        let hub = make()
        for cancelAt in [nil, 1] as [Int?] {
            weak var gone: Recorder<Int, LawFailure>?
            do {
                let recorder = hub.signal.record(cancelAt: cancelAt)
                gone = recorder
                hub.send(1)
                recorder.cancel()
                report(recorder.breaches)
            }
            #expect(gone == nil)
        }
    }

    @Test("S34 S49 a sink that has not requested everything retains a hub that has ended") func outlives() {
        let recorder = Recorder<Int, LawFailure>(demand: .none)
        do {
            let hub = make(bufferSize: 3)
            hub.signal.attach(recorder.sink)
            for number in 1...4 { hub.send(number) }
            hub.finish()
        }
        #expect(recorder.history == [.upstream])
        recorder.request(.max(2))
        #expect(recorder.values == [1, 2] && !recorder.isEnded)
        recorder.request(.max(1))
        #expect(recorder.history == [.upstream, .value(1), .value(2), .value(3), .finished])
        report(recorder.breaches)
    }
}
