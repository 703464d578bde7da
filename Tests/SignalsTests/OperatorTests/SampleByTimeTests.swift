import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct SampleByTimeTests {
    @Test("S36 S37 S45 the last value is delivered at the finish, and no timer is left") func laws() {
        report(Laws.verifyTimed(delivering: { $0 }) { $0.sample(every: .seconds(1), on: $1) })
    }

    @Test func deliversTheLatestOfEachInterval() {
        let scheduler = VirtualScheduler()
        let recorder = Timeline("ab-c--------d-e|").signal(on: scheduler)
            .sample(every: .seconds(4), on: scheduler).record(clock: scheduler)
        scheduler.run()
        #expect(recorder.timeline() == "----c----------(e|)")
        #expect(scheduler.pendingCount == 0)
    }

    @Test("S37 an interval without a value sets no timer") func silence() {
        let scheduler = VirtualScheduler()
        let source = Broadcast<Int, Never>()
        let recorder = source.signal.sample(every: .seconds(1), on: scheduler).record()
        #expect(scheduler.pendingCount == 0)
        source.send(1)
        #expect(scheduler.pendingCount == 1)
        scheduler.advance(by: .seconds(1))
        #expect(recorder.values == [1] && scheduler.pendingCount == 0)
        scheduler.advance(by: .milliseconds(2_500))
        source.send(2)
        scheduler.advance(by: .milliseconds(499))
        #expect(recorder.values == [1])
        scheduler.advance(by: .milliseconds(1))
        #expect(recorder.values == [1, 2])
        recorder.cancel()
        #expect(scheduler.pendingCount == 0)
    }
}
