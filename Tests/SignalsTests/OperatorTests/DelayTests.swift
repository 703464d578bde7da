import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct DelayTests {
    @Test("S36 S37 nothing is lost, and no timer is left") func laws() {
        report(Laws.verifyTimed(flushesAtFinish: false, delivering: { $0 }) { $0.delay(for: .seconds(1), on: $1) })
    }

    @Test(arguments: [("ab-c|", "--ab-c|"), ("(ab)-#", "--(ab)-#"), ("|", "--|")])
    func everythingComesLater(_ input: String, _ output: String) {
        let scheduler = VirtualScheduler()
        let recorder = Timeline(input).signal(on: scheduler).delay(for: .seconds(2), on: scheduler)
            .record(clock: scheduler)
        scheduler.run()
        #expect(recorder.timeline() == Timeline(output))
    }
}
