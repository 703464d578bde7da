import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ShareReplayTests {
    @Test("S2 S34 S38 S39", arguments: [1, 3]) func laws(_ count: Int) {
        report(Laws.verifyMulticast(replays: count) { $0.share(replay: count) })
    }

    @Test("S39 a late sink gets the last values, then those that follow") func replays() {
        let source = Broadcast<Int, Never>()
        let shared = source.signal.share(replay: 2)
        let early = shared.record()
        for number in 1...3 { source.send(number) }
        let late = shared.record()
        source.send(4)
        #expect(early.values == [1, 2, 3, 4] && late.values == [2, 3, 4])
        early.cancel()
        late.cancel()
    }

    @Test("S38 with a linger, the upstream outlives its last sink by that time") func linger() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, Never>()
        let shared = probe.signal.share(replay: 1, linger: .seconds(5), on: scheduler)
        let first = shared.record()
        probe.send(1)
        first.cancel()
        scheduler.advance(by: .seconds(4))
        let second = shared.record()
        #expect(second.values == [1] && probe.attachCount == 1)
        scheduler.advance(by: .seconds(9))
        #expect(probe.liveCount == 1)
        second.cancel()
        #expect(probe.liveCount == 1)
        scheduler.advance(by: .seconds(5))
        #expect(probe.liveCount == 0 && scheduler.pendingCount == 0)
        let third = shared.record()
        #expect(third.values.isEmpty && probe.attachCount == 2)
        third.cancel()
        scheduler.run()
        #expect(probe.liveCount == 0)
    }

    @Test("S11 a sink that is behind when the upstream ends gets the rest when it requests it") func behind() {
        let recorder = Signal<Int, Never>.sequence(1...5).share(replay: 3).record(demand: .max(1))
        recorder.request(.unlimited)
        #expect(recorder.isEnded && recorder.values.last == 5)
    }

    @Test("S38 a linger that a new sink has ended does not cut the next one short") func secondLinger() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, Never>()
        let shared = probe.rawSignal.share(replay: 1, linger: .seconds(5), on: scheduler)
        shared.record().cancel()
        scheduler.advance(by: .seconds(4))
        shared.record().cancel()
        scheduler.advance(by: .seconds(2))
        #expect(probe.liveCount == 1 && probe.attachCount == 1)
        scheduler.advance(by: .seconds(3))
        #expect(probe.liveCount == 0 && scheduler.pendingCount == 0)
    }

    @Test("S38 S47 callers that await it one after another begin a run each, but share one during a linger")
    func awaited() async {
        let scheduler = VirtualScheduler()
        let runs = Count()
        let upstream = Signal<Int, Never>.deferred {
            runs.raise()
            return Signal<Int, Never>.just(7).append(.never())
        }
        let shared = upstream.share(replay: 1)
        for run in 1...3 {
            #expect(await shared.value() == 7)
            #expect(runs.value == run)
        }
        let lingering = upstream.share(replay: 1, linger: .seconds(1), on: scheduler)
        for _ in 1...3 {
            #expect(await lingering.value() == 7)
            #expect(runs.value == 4)
        }
        scheduler.run()
        #expect(await lingering.value() == 7)
        #expect(runs.value == 5)
    }

    /// Counts the cancels of delayed work.
    private struct CancelCounter: SignalScheduler {
        let clock = VirtualScheduler()
        let cancels = Count()

        var now: Duration { clock.now }

        func schedule(_ work: @escaping @Sendable () -> Void) { clock.schedule(work) }

        func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
            clock.schedule(after: delay, work).detach()
            return SignalToken(onCancel: { cancels.raise() })
        }
    }

    @Test("S38 a linger that has ended is not cancelled by its own work") func lingerEnds() {
        let scheduler = CancelCounter()
        let probe = Probe<Int, Never>()
        let shared = probe.signal.share(replay: 1, linger: .seconds(5), on: scheduler)
        shared.record().cancel()
        scheduler.clock.advance(by: .seconds(5))
        #expect(probe.liveCount == 0 && scheduler.cancels.value == 0)
        let early = shared.record()
        early.cancel()
        let late = shared.record()
        #expect(scheduler.cancels.value == 1 && probe.liveCount == 1)
        late.cancel()
    }
}
