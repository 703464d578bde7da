import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ThrottleTests {
    @Test("S36 S37 the last value is delivered at the finish, and no timer is left") func laws() {
        report(Laws.verifyTimed(delivering: { $0 }) { $0.throttle(for: .seconds(1), on: $1, latest: true) })
    }

    @Test(arguments: [(true, "a--d--g-(h|)"), (false, "a--b--e-(h|)")])
    func deliversOneInEachInterval(_ latest: Bool, _ output: String) {
        let scheduler = VirtualScheduler()
        let recorder = Timeline("abcdefgh|").signal(on: scheduler)
            .throttle(for: .seconds(3), on: scheduler, latest: latest).record(clock: scheduler)
        scheduler.run()
        #expect(recorder.timeline() == Timeline(output))
        #expect(scheduler.pendingCount == 0)
    }

    @Test func aValueAfterSilenceComesAtOnce() {
        let scheduler = VirtualScheduler()
        let recorder = Timeline("a-----b-c-|").signal(on: scheduler)
            .throttle(for: .seconds(3), on: scheduler, latest: true).record(clock: scheduler)
        scheduler.run()
        #expect(recorder.timeline() == "a-----b--c|")
    }
}
