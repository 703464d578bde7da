import Dispatch
import Signals
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReceiveOnTests {
    @Test("S35 values and the end move to the scheduler, attach and requests do not") func hops() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.receive(on: scheduler).record(demand: .max(2))
        #expect(probe.history == [.attached, .requested(.max(2))])
        probe.send(1)
        probe.finish()
        #expect(recorder.history == [.upstream])
        scheduler.run()
        #expect(recorder.history == [.upstream, .value(1), .finished])
    }

    @Test("S8 a concurrent queue keeps the order") func order() async {
        let recorder = Signal<Int, Never>.sequence(1...100_000).receive(on: DispatchQueue.global()).record()
        #expect(await recorder.end() == .finished)
        #expect(recorder.values == Array(1...100_000))
        report(recorder.breaches)
    }

    @Test("S30 after a cancel on its queue, nothing more arrives") func cancelOnQueue() async {
        let queue = DispatchQueue(label: "cancel")
        for _ in 0..<200 {
            let source = Broadcast<Int, Never>()
            let after = Count()
            let isCancelled = Lock(false)
            let token = source.signal.receive(on: queue).sink { _ in if isCancelled.withLock({ $0 }) { after.raise() } }
            for number in 1...10 { source.send(number) }
            queue.sync {
                token.cancel()
                isCancelled.withLock { $0 = true }
            }
            for number in 1...10 { source.send(number) }
            queue.sync {}
            #expect(after.value == 0)
        }
    }

    @Test("S19 no more values wait than were requested") func bound() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.receive(on: scheduler).record(demand: .max(3))
        let sent = (1...9).prefix { probe.send($0) }
        #expect(sent.count == 3)
        scheduler.run()
        #expect(recorder.values == [1, 2, 3])
        recorder.cancel()
    }

    @Test("S34 a cancel releases the waiting values, even if the scheduler never runs") func release() {
        let scheduler = VirtualScheduler()
        let source = Broadcast<Count, Never>()
        weak var watched: Count?
        let token = source.signal.receive(on: scheduler).sink { _ in }
        do {
            let count = Count()
            watched = count
            source.send(count)
        }
        #expect(watched != nil)
        token.cancel()
        #expect(watched == nil && scheduler.pendingCount == 1)
        scheduler.run()
    }

    @Test("S8 a value sent just as a delivery ends arrives without another send") func justAsItEnds() {
        let source = Broadcast<Int, Never>()
        let arrivals = Arrivals()
        let token = source.signal.receive(on: DispatchQueue(label: "arrivals")).sink { _ in arrivals.note() }
        #expect(arrivals.followRounds(10_000) { source.send(1) })
        token.cancel()
    }

    @Test("S8 S17 values that are requested by the return of a delivery arrive, too", arguments: [1, 2, 3, 1_000])
    func asked(_ count: Int) {
        let scheduler = VirtualScheduler()
        let recorder = Signal<Int, Never>.sequence(1...count).receive(on: scheduler)
            .record(demand: .max(1), perValue: .max(1))
        scheduler.run()
        #expect(recorder.values == Array(1...count) && recorder.isEnded)
    }
}
