import Signals
import SignalsTesting
import Testing

@Suite struct CollectByTimeTests {
    @Test("S37 the rest comes at the finish, and no timer stays") func laws() {
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

    @Test("S19 a full array comes at once") func atMost() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.collect(every: .seconds(1), on: scheduler, atMost: 2).record()
        for number in 1...5 { probe.send(number) }
        #expect(recorder.values == [[1, 2], [3, 4]])
        scheduler.run()
        #expect(recorder.values == [[1, 2], [3, 4], [5]])
        probe.finish()
        #expect(recorder.isEnded)
    }
}
