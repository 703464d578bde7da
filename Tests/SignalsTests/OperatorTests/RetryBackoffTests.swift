import Signals
import SignalsLaws
import SignalsTesting
import TestTraits
import Testing

@Suite struct RetryBackoffTests {
    @Test("negative attempts, shrinking waits and jitter outside 0 to 1 are refused", .prompt) func refused() async {
        await #expect(processExitsWith: .failure) { _ = Backoff(attempts: -1) }
        await #expect(processExitsWith: .failure) { _ = Backoff(attempts: 1, factor: 0.9) }
        await #expect(processExitsWith: .failure) { _ = Backoff(attempts: 1, jitter: 1.1) }
        await #expect(processExitsWith: .failure) { _ = Backoff(attempts: 1, jitter: -0.1) }
        let widest = Backoff(attempts: 0, factor: 1, jitter: 1)
        #expect(widest.wait(before: 1, random: 0) == .milliseconds(100))
    }

    @Test func waitsGrowUpToTheLongest() {
        let backoff = Backoff(attempts: 5, first: .seconds(1), factor: 3, longest: .seconds(10), jitter: 0)
        #expect(
            (1...4).map { backoff.wait(before: $0, random: 0.9) } == [
                .seconds(1), .seconds(3), .seconds(9), .seconds(10),
            ])
        // Once the waits cannot grow any more, they are not computed one by one.
        #expect(backoff.wait(before: .max, random: 0) == .seconds(10))
        #expect(Backoff(attempts: .max, first: .zero).wait(before: .max, random: 0) == .zero)
        let jittery = Backoff(attempts: 5, first: .seconds(8), jitter: 0.5)
        #expect(jittery.wait(before: 1, random: 0) == .seconds(8))
        #expect(jittery.wait(before: 1, random: 0.5) == .seconds(6))
    }

    @Test(
        "no factor, however large, makes a wait above the longest", arguments: [1, 1.5, 1e18, 1e30, 1e308, .infinity])
    func waitsFit(_ factor: Double) {
        for first in [Duration.zero, .nanoseconds(1), .seconds(1), .seconds(Int64.max / 4)] {
            for longest in [Duration.zero, .seconds(30), .seconds(Int64.max)] {
                let backoff = Backoff(attempts: .max, first: first, factor: factor, longest: longest, jitter: 1)
                for attempt in [1, 2, 3, 1_000] {
                    for random in [0, 0.5, 1, .nan, .infinity, -.infinity] {
                        let wait = backoff.wait(before: attempt, random: random)
                        #expect(wait >= .zero && wait <= longest)
                    }
                }
                let second = backoff.wait(before: 2, random: 0)
                #expect(first == .zero ? second == .zero : second >= min(first, longest))
                if factor >= 1e30 && first > .zero && longest == .seconds(30) { #expect(second == longest) }
            }
        }
    }

    @Test("S36 attempts come after their waits, and the last failure is passed on") func attempts() {
        let scheduler = VirtualScheduler()
        let times = Lock<[Duration]>([])
        let signal = Signal<Int, LawFailure>.deferred {
            let count = times.withLock { times in
                times.append(scheduler.now)
                return times.count
            }
            return .fail(LawFailure(count))
        }
        let backoff = Backoff(attempts: 2, first: .seconds(1), factor: 2, jitter: 0)
        let recorder = signal.retry(backoff, on: scheduler).record()
        scheduler.run()
        #expect(times.withLock { $0 } == [.zero, .seconds(1), .seconds(3)])
        #expect(recorder.history == [.upstream, .failure(LawFailure(3))])
    }

    @Test func aFailureThatIsNotWorthwhileIsPassedOn() {
        let scheduler = VirtualScheduler()
        let recorder = Signal<Int, LawFailure>.fail(LawFailure(9))
            .retry(Backoff(attempts: 5), on: scheduler, if: { $0.code != 9 }).record()
        #expect(recorder.completion == .failure(LawFailure(9)) && scheduler.pendingCount == 0)
    }

    @Test("S37 a cancel during the wait leaves no timer behind") func cancel() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.retry(Backoff(attempts: 5), on: scheduler).record()
        probe.fail(LawFailure())
        #expect(scheduler.pendingCount == 1)
        recorder.cancel()
        #expect(scheduler.pendingCount == 0)
        scheduler.run()
        #expect(scheduler.pendingCount == 0 && probe.attachCount == 1)
    }

    @Test func aValueStartsTheCountAnewWhenAsked() {
        func attempts(_ resets: Bool) -> Int {
            let scheduler = VirtualScheduler()
            let probe = Probe<Int, LawFailure>()
            let recorder = probe.signal.retry(Backoff(attempts: 1, jitter: 0), on: scheduler, resetsOnValue: resets)
                .record()
            for number in 1...3 {
                probe.send(number)
                probe.fail(LawFailure())
                scheduler.run()
            }
            recorder.cancel()
            return probe.attachCount
        }
        #expect(attempts(true) == 4)
        #expect(attempts(false) == 2)
    }

    @Test("S36 a backoff without attempts passes the first failure on at once") func noAttempts() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.retry(Backoff(attempts: 0), on: scheduler).record()
        probe.fail(LawFailure(7))
        #expect(recorder.completion == .failure(LawFailure(7)))
        #expect(probe.attachCount == 1 && scheduler.pendingCount == 0)
    }
}
