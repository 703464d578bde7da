import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct TimeoutTests {
    @Test("S36 S37 no timer is left") func laws() {
        report(Laws.verifyTimed(delivering: { $0 }) { $0.timeout(after: .seconds(1_000), on: $1) })
    }

    @Test(arguments: [("a--b---------c|", "a--b---#"), ("-----a|", "----#"), ("a-b-|", "a-b-|")])
    func failsWhenAValueIsTooLongInComing(_ input: String, _ output: String) {
        let scheduler = VirtualScheduler()
        let recorder = Timeline(input).signal(on: scheduler)
            .timeout(after: .seconds(4), on: scheduler) { Timeline.Failure() }.record(clock: scheduler)
        scheduler.run()
        #expect(recorder.timeline() == Timeline(output))
        #expect(scheduler.pendingCount == 0)
    }

    @Test("S6 without a failure it finishes, and cancels the upstream") func finishes() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.timeout(after: .seconds(1), on: scheduler).record()
        scheduler.run()
        #expect(recorder.history == [.upstream, .finished] && probe.liveCount == 0)
    }

    @Test("S34 until it fires, the timer retains a run that nothing else retains") func keptByItsTimer() {
        let scheduler = VirtualScheduler()
        let ends = Count()
        Signal<Int, LawFailure>.never().timeout(after: .seconds(1), on: scheduler) { LawFailure() }.attach(
            Sink(onUpstream: { _ in }, onValue: { _ in .none }, onCompletion: { _ in ends.raise() }))
        scheduler.run()
        #expect(ends.value == 1 && scheduler.pendingCount == 0)
    }
}
