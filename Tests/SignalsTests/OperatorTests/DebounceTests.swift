import Signals
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct DebounceTests {
    @Test("S36 S37 the last value comes at the finish, and no timer stays") func laws() {
        report(Laws.verifyTimed(delivering: { $0 }) { $0.debounce(for: .seconds(1), on: $1) })
    }

    @Test(arguments: [("ab---c-|", "----b--(c|)"), ("a--|", "---(a|)"), ("a---#", "--a-#"), ("abc#", "---#")])
    func deliversTheLatestAfterAPause(_ input: String, _ output: String) {
        let scheduler = VirtualScheduler()
        let pause = Duration.seconds(input.hasPrefix("a---#") ? 2 : 3)
        let recorder = Timeline(input).signal(on: scheduler).debounce(for: pause, on: scheduler).record(
            clock: scheduler)
        scheduler.run()
        #expect(recorder.timeline() == Timeline(output))
        #expect(scheduler.pendingCount == 0)
    }

    @Test("S37 what waits at a failure goes to the discard hook") func discards() {
        struct Item: Sendable, Equatable { let number: Int }
        let discards = Discards(of: Item.self)
        let probe = Probe<Item, LawFailure>()
        let recorder = probe.signal.debounce(for: .seconds(1), on: VirtualScheduler()).record()
        probe.send(Item(number: 1))
        probe.fail(LawFailure())
        #expect(recorder.values.isEmpty && discards.payloads == [Item(number: 1)])
    }
}
