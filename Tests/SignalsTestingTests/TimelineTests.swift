import Signals
import SignalsLaws
import SignalsTesting
import TestTraits
import Testing

@Suite struct TimelineTests {
    @Test(arguments: ["a--b-|", "#", "-(ab)-(c|)", "", "---x", "(a#)"])
    func textIsReadAndWritten(_ text: String) {
        #expect(Timeline(text).description == text)
    }

    @Test func spacesAndSilenceAtTheEndMeanNothing() {
        #expect(Timeline(" a - b | ") == "a-b|")
        #expect(Timeline("a--") == "a")
        #expect(Timeline("(a)") == "a")
        #expect(Timeline("a") != "-a")
    }

    @Test("S36 a timeline happens tick by tick") func happens() {
        let scheduler = VirtualScheduler()
        let recorder = Timeline("a-(bc)-|").signal(on: scheduler).record(clock: scheduler)
        scheduler.advance(by: .seconds(1))
        #expect(recorder.values == ["a"])
        scheduler.advance(by: .seconds(1))
        #expect(recorder.values == ["a", "b", "c"])
        scheduler.run()
        #expect(recorder.history == [.upstream, .value("a"), .value("b"), .value("c"), .finished])
        #expect(recorder.timeline() == "a-(bc)-|")
    }

    @Test("S2 each attach starts its own run, from the beginning") func coldness() {
        let scheduler = VirtualScheduler()
        let signal = Timeline("a-b#").signal(on: scheduler)
        let first = signal.record(clock: scheduler)
        scheduler.advance(by: .seconds(2))
        let second = signal.record(clock: scheduler)
        scheduler.run()
        #expect(first.timeline() == "a-b#")
        #expect(second.timeline() == "a-b#")
    }

    @Test("S37 a cancelled run leaves nothing scheduled") func cancelled() {
        let scheduler = VirtualScheduler()
        let recorder = Timeline("a-b-c|").signal(on: scheduler).record(cancelAt: 1, clock: scheduler)
        scheduler.advance(by: .zero)
        #expect(scheduler.pendingCount == 0)
        scheduler.run()
        #expect(recorder.timeline() == "a")
        #expect(recorder.breaches == [])
    }

    @Test("S14 values that are not requested wait") func demand() {
        let scheduler = VirtualScheduler()
        let recorder = Timeline("abc|").signal(on: scheduler).record(demand: .max(1), clock: scheduler)
        scheduler.run()
        #expect(recorder.values == ["a"])
        recorder.request(.max(2))
        #expect(recorder.history.suffix(3) == [.value("b"), .value("c"), .finished])
    }

    @Test func valuesAndFailuresOfTheCallersChoice() {
        let scheduler = VirtualScheduler()
        let recorder = Timeline("1-2#").signal(on: scheduler, tick: .milliseconds(10), failure: LawFailure(9)) {
            $0.wholeNumberValue ?? 0
        }.record(clock: scheduler)
        scheduler.run()
        #expect(recorder.history == [.upstream, .value(1), .value(2), .failure(LawFailure(9))])
        #expect(recorder.timeline(tick: .milliseconds(10)) { Character("\($0)") } == "1-2#")
        #expect(recorder.timeline(tick: .milliseconds(20)) { Character("\($0)") } == "1(2#)")
    }

    @Test(.prompt) func malformedTimelinesAreRefused() async {
        await #expect(processExitsWith: .failure) { _ = Timeline("a|b") }
        await #expect(processExitsWith: .failure) { _ = Timeline("(ab") }
        await #expect(processExitsWith: .failure) { _ = Timeline("((a))") }
    }
}
