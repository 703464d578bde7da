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

    @Test("S5 S29 an emitter tells its source that nobody listens any more", arguments: [false, true])
    func emitterIsCancelled(inside: Bool) {
        let kept = Lock<Emitter<Int, LawFailure>?>(nil)
        let found = Lock<[Bool]>([])
        let signal = Signal<Int, LawFailure>.create { emitter in
            kept.withLock { $0 = emitter }
            for number in 1...2 {
                emitter.send(number)
                found.withLock { $0.append(emitter.isCancelled) }
            }
            return {}
        }
        let recorder = signal.record(cancelAt: inside ? 1 : nil)
        #expect(found.withLock { $0 } == [inside, inside])
        recorder.cancel()
        #expect(kept.withLock { $0 }?.isCancelled == true)
    }

    @Test("S9 an emitter tells its source that the end was delivered", arguments: [false, true])
    func emitterHasEnded(failing: Bool) {
        let kept = Lock<Emitter<Int, LawFailure>?>(nil)
        let recorder = Signal<Int, LawFailure>.create(whenBehind: .oldest(1)) { emitter in
            kept.withLock { $0 = emitter }
            return {}
        }.record(demand: .none)
        let emitter = kept.withLock { $0 }
        emitter?.send(1)
        if failing { emitter?.fail(LawFailure()) } else { emitter?.finish() }
        #expect(emitter?.isCancelled == false, "A value waits for its sink.")
        recorder.request(.max(1))
        #expect(emitter?.isCancelled == true && recorder.isEnded)
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

    @Test func aResultOfAnyErrorIsTakenAsItIs() {
        let signal = Signal.result(Result { try Parsing.number("x") })
        #expect(signal.mapError { $0 as? LawFailure ?? LawFailure(0) }.record().completion == .failure(LawFailure(1)))
        #expect(Signal.result(Result { try Parsing.number("7") }).mapError { _ in LawFailure() }.record().values == [7])
    }

    @Test func aNilAmongSeveralValuesIsLeftOut() {
        let texts = Signal<String, Never>.sequence(["1", "x", "3"])
        #expect(texts.flatMap { .optional(Int($0)) }.record().values == [1, 3])
        let nested: Signal<Int?, Never> = .optional(.some(nil))
        #expect(nested.record().values == [nil])
    }

    private enum Parsing {
        static func number(_ text: String) throws -> Int {
            guard let number = Int(text) else { throw LawFailure(1) }
            return number
        }
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
