import Dispatch
import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct SubscribeOnTests {
    @Test("S35 attach and requests move to the scheduler, values do not") func hops() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.subscribe(on: scheduler).record(demand: .max(2))
        #expect(recorder.history == [.upstream] && probe.attachCount == 0)
        scheduler.run()
        #expect(probe.attachCount == 1 && probe.outstanding() == .max(2))
        probe.send(1)
        #expect(recorder.values == [1])
        recorder.request(.max(1))
        #expect(probe.outstanding() == .max(1))
        scheduler.run()
        #expect(probe.outstanding() == .max(2))
        recorder.cancel()
    }

    @Test("S5 after a cancel before its turn, the upstream is never attached, and the sink is released") func early() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, Never>()
        weak var sink: Recorder<Int, Never>?
        do {
            let recorder = probe.signal.subscribe(on: scheduler).record()
            sink = recorder
            recorder.cancel()
        }
        #expect(sink == nil)
        scheduler.run()
        #expect(probe.attachCount == 0)
    }

    /// The source acts like another thread that already has the sink, just before the upstream is passed on.
    @Test("S30 S31 after a cancel while the upstream is on its way, nothing from it arrives") func between() {
        let scheduler = VirtualScheduler()
        let recorder = Recorder<Int, LawFailure>(demand: .unlimited)
        let cancels = Count()
        let source = Signal<Int, LawFailure>(trusted: { sink in
            recorder.cancel()
            _ = sink.receive(1)
            sink.receive(completion: .failure(LawFailure(1)))
            sink.receive(upstream: Upstream(request: { _ in }, cancel: { cancels.raise() }))
        })
        source.subscribe(on: scheduler).attach(recorder.sink)
        scheduler.run()
        #expect(recorder.history == [.upstream] && recorder.breaches.isEmpty)
        #expect(cancels.value == 1)
    }

    @Test("S32 a cancel overtakes an endless request on a serial queue") func overtakes() async {
        let queue = DispatchQueue(label: "busy")
        let made = Broadcast<Int, Never>()
        let first = made.signal.first().record()
        let endless = Signal<Int, Never>.unfold(0) { number in
            number += 1
            if number == 1 { made.send(1) }
            return number
        }
        let token = endless.subscribe(on: queue).sink { _ in }
        _ = await first.end()
        token.cancel()
        // The queue is free again only when the loop has ended.
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    @Test("S35 S38 R-M1 a shared or hot source that sends as it is attached loses nothing") func shared() {
        let clock = VirtualScheduler()
        let numbers = Signal<Int, Never>.sequence(1...5)
        let signals: [Signal<Int, Never>] = [
            numbers.share(), numbers.share(replay: 2), numbers.multicast().autoconnect(), numbers.cache(),
            .create(bufferSize: 0) { emitter in
                for number in 1...5 { emitter.send(number) }
                emitter.finish()
                return {}
            },
        ]
        let recorders = signals.map { $0.subscribe(on: clock).record() }
        clock.run()
        for recorder in recorders { #expect(recorder.values == [1, 2, 3, 4, 5] && recorder.isEnded) }
    }
}
