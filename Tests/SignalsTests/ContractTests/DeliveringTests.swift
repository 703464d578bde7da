import Dispatch
import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite("Delivering", .timeLimit(.minutes(5))) struct DeliveringTests {
    @Test("S7 eight threads into one sink, through each engine") func overlap() {
        let chains: [@Sendable (Signal<Int, LawFailure>) -> Signal<Int, LawFailure>] = [
            { $0 }, { $0.map { $0 }.filter { _ in true } }, { $0.buffer(size: 64, whenFull: .dropOldest) },
            { $0.receive(on: DispatchQueue.global()) }, { $0.flatMap { .sequence([$0, $0]) } },
            { $0.flatMapLatest { .just($0) } }, { $0.merge(with: .never()) }, { $0.share() }, { $0.conflate() },
            { $0.combineLatest(Signal<Int, LawFailure>.just(1)).map { $0 + $1 } },
            { $0.prefix(until: Signal<Int, LawFailure>.never()) },
        ]
        for chain in chains {
            let source = Broadcast<Int, LawFailure>()
            let recorder = chain(source.signal).record()
            onThreads(8) { thread in
                for number in 0..<200 { source.send(thread * 1_000 + number) }
            }
            source.send(completion: .finished)
            report(recorder.breaches)
            recorder.cancel()
        }
    }

    @Test("S9 S10 a source that continues after its end, on two threads and from inside") func afterTheEnd() {
        for _ in 0..<200 {
            let probe = Probe<Int, LawFailure>(.faulty)
            let recorder = probe.signal.record { _, event in
                if event == .value(1) { probe.finish(); probe.send(2) }
            }
            onThreads(2) { thread in
                for number in 1...5 { probe.send(number) }
                if thread == 0 { probe.fail(LawFailure()) } else { probe.finish() }
            }
            #expect(recorder.isEnded)
            report(recorder.breaches)
        }
    }

    @Test("S10 the first of two failures wins, and the later one goes to the discard hook") func lateFailure() {
        struct Trouble: Error, Equatable { let number: Int }
        let discards = Discards(of: Trouble.self)
        let left = Probe<Int, Trouble>(.faulty)
        let right = Probe<Int, Trouble>(.faulty)
        let recorder = left.signal.merge(with: right.signal).record()
        left.fail(Trouble(number: 1))
        right.fail(Trouble(number: 2))
        #expect(recorder.completion == .failure(Trouble(number: 1)))
        #expect(discards.payloads.contains(Trouble(number: 2)))
        let broadcast = Broadcast<Int, Trouble>()
        broadcast.send(completion: .finished)
        broadcast.send(completion: .failure(Trouble(number: 3)))
        #expect(discards.payloads.contains(Trouble(number: 3)))
    }

    @Test("S11 a finish and a failure need no demand") func endWithoutDemand() {
        let probe = Probe<Int, LawFailure>()
        let chain = probe.signal.map { $0 }.filter { _ in true }.buffer(size: 3, whenFull: .dropOldest)
            .removeDuplicates()
        let finished = chain.record(demand: .none)
        probe.finish()
        #expect(finished.history == [.upstream, .finished])
        let failed = chain.record(demand: .none)
        probe.fail(LawFailure())
        #expect(failed.history == [.upstream, .failure(LawFailure())])
    }

    @Test("S12 with one upstream, accepted values are delivered before a failure") func acceptedFirst() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.buffer(size: 9, whenFull: .dropOldest).receive(on: scheduler)
            .delay(for: .seconds(1), on: scheduler).record()
        for number in 1...3 { probe.send(number) }
        probe.fail(LawFailure())
        scheduler.run()
        #expect(recorder.history == [.upstream, .value(1), .value(2), .value(3), .failure(LawFailure())])
    }

    @Test("S12 when an input fails, a fan-in passes its waiting values to the discard hook") func failFast() {
        struct Item: Sendable, Equatable { let number: Int }
        let discards = Discards(of: Item.self)
        let left = Probe<Item, LawFailure>()
        let right = Probe<Item, LawFailure>()
        let recorder = left.signal.merge(with: right.signal).record(demand: .none)
        for number in 1...3 { left.send(Item(number: number)) }
        right.fail(LawFailure())
        #expect(recorder.history == [.upstream, .failure(LawFailure())])
        #expect(discards.payloads.map(\.number) == [1, 2, 3] && discards.reasons.allSatisfy { $0 == .siblingFailed })
        #expect(left.liveCount == 0)
    }

    @Test("S13 no closure runs after a cancel on its thread") func closuresAfterCancel() {
        let calls = Count()
        let source = Broadcast<Int, Never>()
        let token = SignalToken()
        source.signal.map { calls.raise() + $0 }.sink(
            cancelledBy: token, onValue: { _ in token.cancel() }, onCompletion: { _ in calls.raise() })
        for number in 1...5 { source.send(number) }
        source.send(completion: .finished)
        #expect(calls.value == 1)
    }
}
