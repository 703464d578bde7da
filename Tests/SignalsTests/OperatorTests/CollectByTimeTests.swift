import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct CollectByTimeTests {
    @Test("S37 the rest is delivered at the finish, and no timer is left") func laws() {
        report(
            Laws.verifyTimed(delivering: { $0 }) { upstream, scheduler in
                upstream.collect(every: .seconds(1), on: scheduler).map { $0[$0.count - 1] }
            })
    }

    @Test func valuesOfAnIntervalComeTogether() {
        let scheduler = VirtualScheduler()
        let recorder = Timeline("ab-c-----d|").signal(on: scheduler, tick: .milliseconds(100))
            .collect(every: .milliseconds(250), on: scheduler).map { String($0) }.record(clock: scheduler)
        scheduler.run()
        #expect(recorder.values == ["ab", "c", "d"])
        #expect(recorder.isEnded && scheduler.pendingCount == 0)
    }

    @Test("S19 a full array is delivered at once") func atMost() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.collect(every: .seconds(1), on: scheduler, atMost: 2).record()
        for number in 1...5 { probe.send(number) }
        scheduler.advance(by: .zero)
        #expect(recorder.values == [[1, 2], [3, 4]])
        scheduler.run()
        #expect(recorder.values == [[1, 2], [3, 4], [5]])
        probe.finish()
        scheduler.advance(by: .zero)
        #expect(recorder.isEnded)
    }

    @Test("S37 a full array ends its timer, and the next array has its own interval") func timerOfTheNext() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, Never>()
        let recorder = probe.rawSignal.collect(every: .seconds(1), on: scheduler, atMost: 2).record()
        probe.send(1)
        probe.send(2)
        scheduler.advance(by: .zero)
        #expect(recorder.values == [[1, 2]] && scheduler.pendingCount == 0)
        scheduler.advance(by: .milliseconds(900))
        probe.send(3)
        scheduler.advance(by: .milliseconds(200))
        #expect(recorder.values == [[1, 2]])
        scheduler.advance(by: .milliseconds(800))
        #expect(recorder.values == [[1, 2], [3]])
        recorder.cancel()
    }
}
