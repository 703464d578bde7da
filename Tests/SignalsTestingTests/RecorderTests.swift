import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct RecorderTests {
    private func upstream(_ cancelled: @escaping @Sendable () -> Void = {}) -> Upstream {
        Upstream(request: { _ in }, cancel: cancelled)
    }

    @Test func historyIsComparedInOneAssertion() {
        let recorder = Signal<Int, LawFailure>.sequence(1...2).append(.fail(LawFailure(3))).record()
        #expect(recorder.history == [.upstream, .value(1), .value(2), .failure(LawFailure(3))])
        #expect(recorder.values == [1, 2])
        #expect(recorder.completion == .failure(LawFailure(3)))
        #expect(recorder.isEnded && recorder.breaches.isEmpty)
    }

    @Test func demandIsScripted() {
        let recorder = Signal<Int, Never>.sequence(1...).record(demand: .max(2), perValue: .none)
        #expect(recorder.values == [1, 2] && recorder.outstanding == .none)
        recorder.request(.max(1))
        #expect(recorder.values == [1, 2, 3])
        let asking = Signal<Int, Never>.sequence(1...5).record(demand: .max(1), perValue: .max(1))
        #expect(asking.values == [1, 2, 3, 4, 5])
    }

    @Test func cancelsAtAValue() {
        #expect(Signal<Int, Never>.sequence(1...).record(cancelAt: 3).values == [1, 2, 3])
        #expect(Signal<Int, Never>.sequence(1...).record(cancelAt: 0).history == [.upstream])
    }

    @Test func aCancelBeforeTheUpstreamIsRemembered() {
        let recorder = Recorder<Int, Never>()
        let cancels = Lock(0)
        recorder.cancel()
        recorder.sink.receive(upstream: upstream { cancels.withLock { $0 += 1 } })
        #expect(cancels.withLock { $0 } == 1)
        #expect(recorder.breaches == [])
    }

    @Test("S29 a cancel relies on no other thread's cancel, which may not have arrived") func cancelsFromTwoThreads() {
        let recorder = Recorder<Int, Never>()
        let cancels = Lock(0)
        recorder.sink.receive(
            upstream: upstream {
                let isFirst = cancels.withLock { count in
                    count += 1
                    return count == 1
                }
                if isFirst { onAnotherThreadAndBack { recorder.cancel() } }
            })
        recorder.cancel()
        #expect(cancels.withLock { $0 } == 2)
    }

    @Test func aValueBeforeTheUpstreamBreaksS1() {
        let recorder = Recorder<Int, Never>()
        _ = recorder.sink.receive(1)
        #expect(recorder.breaches.contains { $0.clause == "S1" })
    }

    @Test func aSecondUpstreamBreaksS1AndIsCancelled() {
        let recorder = Recorder<Int, Never>()
        let cancels = Lock(0)
        recorder.sink.receive(upstream: upstream())
        recorder.sink.receive(upstream: upstream { cancels.withLock { $0 += 1 } })
        #expect(recorder.breaches.map(\.clause) == ["S1"])
        #expect(cancels.withLock { $0 } == 1)
    }

    @Test func aValueBeyondTheDemandBreaksS14() {
        let recorder = Recorder<Int, Never>(demand: .max(1))
        recorder.sink.receive(upstream: upstream())
        _ = recorder.sink.receive(1)
        #expect(recorder.breaches == [])
        _ = recorder.sink.receive(2)
        #expect(recorder.breaches.map(\.clause) == ["S14"])
    }

    @Test func whatFollowsTheEndBreaksS9AndS10() {
        let recorder = Recorder<Int, Never>()
        recorder.sink.receive(upstream: upstream())
        recorder.sink.receive(completion: .finished)
        _ = recorder.sink.receive(1)
        recorder.sink.receive(completion: .finished)
        #expect(recorder.breaches.map(\.clause) == ["S9", "S10"])
    }

    @Test func whatFollowsACancelBreaksS30AndS31() {
        let recorder = Recorder<Int, Never>()
        recorder.sink.receive(upstream: upstream())
        recorder.cancel()
        _ = recorder.sink.receive(1)
        recorder.sink.receive(completion: .finished)
        #expect(recorder.breaches.map(\.clause) == ["S30", "S31"])
    }

    @Test func oneDeliveryOfAnotherThreadMayBeInFlight() async {
        let recorder = Recorder<Int, Never>()
        recorder.sink.receive(upstream: upstream())
        recorder.cancel()
        await onAnotherThread { _ = recorder.sink.receive(1) }
        #expect(recorder.breaches == [])
        await onAnotherThread { _ = recorder.sink.receive(2) }
        #expect(recorder.breaches.map(\.clause) == ["S30"])
    }

    /// The object of a new thread may have the address of one that has ended.
    @Test func aThreadIsNotTakenForOneThatHasEnded() async {
        for _ in 0..<100 {
            let recorder = Recorder<Int, Never>()
            recorder.sink.receive(upstream: upstream())
            await onAnotherThread { recorder.cancel() }
            await onAnotherThread { _ = recorder.sink.receive(1) }
            #expect(recorder.breaches == [])
        }
    }

    @Test func aDeliveryInsideADeliveryBreaksS24() {
        let recorder = Recorder<Int, Never> { recorder, event in
            if case .value(1) = event { _ = recorder.sink.receive(2) }
        }
        recorder.sink.receive(upstream: upstream())
        _ = recorder.sink.receive(1)
        #expect(recorder.breaches.map(\.clause) == ["S24"])
    }

    @Test func aDeliveryDuringADeliveryOnAnotherThreadBreaksS7() {
        let recorder = Recorder<Int, Never> { recorder, event in
            guard case .value(1) = event else { return }
            // The other thread delivers while this one is inside a delivery.
            onAnotherThreadAndBack { _ = recorder.sink.receive(2) }
        }
        recorder.sink.receive(upstream: upstream())
        _ = recorder.sink.receive(1)
        #expect(recorder.breaches.map(\.clause) == ["S7"])
    }

    @Test func valuesAndEndAreAwaited() async {
        let broadcast = Broadcast<Int, Never>()
        let recorder = broadcast.signal.record()
        async let two = recorder.values(2)
        async let end = recorder.end()
        for number in 1...3 { broadcast.send(number) }
        broadcast.send(completion: .finished)
        #expect(await two.count >= 2)
        #expect(await end == .finished)
        #expect(await recorder.values(99) == [1, 2, 3])
    }

    @Test func awaitingGivesUpWithItsTask() async {
        let recorder = Signal<Int, Never>.never().record()
        let task = Task { await recorder.end() }
        task.cancel()
        #expect(await task.value == nil)
    }
}
