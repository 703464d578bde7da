import Signals
import SignalsTesting
import Testing

@Suite struct CreatingTests {
    @Test("S9 an emitter is silent after its end and after a cancel") func emitter() {
        let kept = Lock<Emitter<Int, LawFailure>?>(nil)
        let signal = Signal<Int, LawFailure>.create { emitter in
            kept.withLock { $0 = emitter }
            return {}
        }
        let failed = signal.record()
        kept.withLock { $0 }?.send(1)
        kept.withLock { $0 }?.fail(LawFailure())
        kept.withLock { $0 }?.send(2)
        #expect(failed.history == [.upstream, .value(1), .failure(LawFailure())])
        let cancelled = signal.record(cancelAt: 1)
        for number in 1...3 { kept.withLock { $0 }?.send(number) }
        #expect(cancelled.history == [.upstream, .value(1)])
    }

    @Test("S6 a source that ends before it returns its teardown is torn down") func synchronous() {
        let teardowns = Count()
        let recorder = Signal<Int, Never>.create { emitter in
            emitter.finish()
            return { teardowns.raise() }
        }.record()
        #expect(recorder.isEnded && teardowns.value == 1)
    }

    @Test("S37 an interval steps on its scheduler, skips without demand, and stops when cancelled") func interval() {
        let scheduler = VirtualScheduler()
        let recorder = Signal<Int, Never>.interval(.seconds(2), on: scheduler).record(demand: .max(2), clock: scheduler)
        scheduler.advance(by: .seconds(7))
        #expect(recorder.timeline { Character("\($0)") } == "--0-1")
        recorder.request(.max(1))
        scheduler.advance(by: .seconds(2))
        #expect(recorder.values == [0, 1, 3])
        recorder.cancel()
        #expect(scheduler.pendingCount == 0)
    }

    @Test func anIntervalOfNothingIsAnError() async {
        await #expect(processExitsWith: .failure) {
            _ = Signal<Int, Never>.interval(.zero, on: VirtualScheduler())
        }
    }

    @Test func aResourceThatCannotBeAcquiredFailsTheSignal() {
        let signal = Signal<Int, LawFailure>.using(
            acquire: { () throws(LawFailure) -> Int in throw LawFailure(6) }, release: { _ in }, signal: { .just($0) })
        #expect(signal.record().history == [.upstream, .failure(LawFailure(6))])
    }

    @Test("S14 unfold makes nothing without demand") func unfold() {
        let made = Count()
        let recorder = Signal<Int, Never>.unfold(0) { _ in made.raise() }.record(demand: .max(3))
        #expect(made.value == 3 && recorder.values == [1, 2, 3])
        recorder.cancel()
    }
}
