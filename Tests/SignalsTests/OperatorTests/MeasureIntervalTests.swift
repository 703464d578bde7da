import Signals
import SignalsTesting
import Testing

@Suite struct MeasureIntervalTests {
    @Test func deliversTheTimeBetweenValues() {
        let scheduler = VirtualScheduler()
        let recorder = Timeline("-a--b|").signal(on: scheduler).measureInterval(on: scheduler).record()
        scheduler.run()
        #expect(recorder.history == [.upstream, .value(.seconds(1)), .value(.seconds(3)), .finished])
    }
}
