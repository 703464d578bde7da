import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct DebounceTests {
    @Test("S36 S37 the last value is delivered at the finish, and no timer is left") func laws() {
        report(Laws.verifyTimed(delivering: { $0 }) { $0.debounce(for: .seconds(1), on: $1) })
    }

    @Test(
        arguments: [
            ("ab---c-|", 3, "----b--(c|)"), ("a--|", 3, "---(a|)"), ("a---#", 2, "--a-#"), ("abc#", 3, "---#"),
        ])
    func deliversTheLatestAfterAPause(_ input: String, pause: Int, _ output: String) {
        let scheduler = VirtualScheduler()
        let recorder = Timeline(input).signal(on: scheduler).debounce(for: .seconds(pause), on: scheduler).record(
            clock: scheduler)
        scheduler.run()
        #expect(recorder.timeline() == Timeline(output))
        #expect(scheduler.pendingCount == 0)
    }

    @Test("S37 a value that waits at a failure goes to the discard hook") func discards() {
        struct Item: Sendable, Equatable { let number: Int }
        let discards = Discards(of: Item.self)
        let probe = Probe<Item, LawFailure>()
        let scheduler = VirtualScheduler()
        let recorder = probe.signal.debounce(for: .seconds(1), on: scheduler).record()
        probe.send(Item(number: 1))
        probe.fail(LawFailure())
        scheduler.run()
        #expect(recorder.isEnded && recorder.values.isEmpty && discards.payloads == [Item(number: 1)])
    }

    /// A scheduler whose timers run when `fire` is called, even if they were cancelled.
    private final class Deaf: SignalScheduler {
        let timers = Lock<[@Sendable () -> Void]>([])
        var now: Duration { .zero }

        func schedule(_ work: @escaping @Sendable () -> Void) { work() }

        func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
            timers.withLock { $0.append(work) }
            return SignalToken()
        }

        func fire(_ number: Int) { timers.withLock { $0[number] }() }

        /// Releases the timers, which retain the run and so this scheduler.
        func forget() { timers.withLock { $0 = [] } }
    }

    @Test("S37 S44 a timer that fires although it was replaced is ignored") func staleTimer() {
        let scheduler = Deaf()
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.rawSignal.debounce(for: .seconds(1), on: scheduler).record()
        probe.send(1)
        probe.send(2)
        scheduler.fire(0)
        #expect(recorder.values.isEmpty)
        scheduler.fire(1)
        #expect(recorder.values == [2])
        recorder.cancel()
        scheduler.forget()
    }
}
