import SignalsTesting
import Testing

@testable import Signals

@Suite struct PauseTests {
    @Test("S37 a cancel leaves no timer behind") func cancel() {
        let clock = VirtualScheduler()
        let pause = Pause()
        let fired = Count()
        pause.begin { clock.schedule(after: .seconds(1)) { fired.raise() } }
        pause.cancel()
        clock.advance(by: .seconds(2))
        #expect(fired.value == 0 && pause.isCancelled)
    }

    @Test("S37 a wait that begins after the cancel is cancelled at once") func late() {
        let clock = VirtualScheduler()
        let pause = Pause()
        let fired = Count()
        pause.cancel()
        pause.begin { clock.schedule(after: .seconds(1)) { fired.raise() } }
        clock.advance(by: .seconds(2))
        #expect(fired.value == 0)
    }

    @Test func aWaitMayBeginTheNext() {
        let clock = VirtualScheduler()
        let pause = Pause()
        let fired = Count()
        @Sendable func again() {
            if fired.raise() < 3 { pause.begin { clock.schedule(after: .seconds(1)) { again() } } }
        }
        pause.begin { clock.schedule(after: .seconds(1)) { again() } }
        clock.advance(by: .seconds(10))
        #expect(fired.value == 3)
    }
}
