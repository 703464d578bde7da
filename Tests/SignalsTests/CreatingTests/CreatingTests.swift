import Signals
import SignalsLaws
import SignalsTesting
import TestTraits
import Testing

@Suite struct CreatingTests {
    @Test("S9 an emitter delivers nothing after its end and after a cancel") func emitter() {
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

    @Test("S5 S29 an emitter reports to its source that the run was cancelled", arguments: [false, true])
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

    @Test("S9 an emitter reports to its source that the end was delivered", arguments: [false, true])
    func emitterHasEnded(failing: Bool) {
        let kept = Lock<Emitter<Int, LawFailure>?>(nil)
        let recorder = Signal<Int, LawFailure>.create(bufferSize: 1) { emitter in
            kept.withLock { $0 = emitter }
            return {}
        }.record(demand: .none)
        let emitter = kept.withLock { $0 }
        emitter?.send(1)
        if failing { emitter?.fail(LawFailure()) } else { emitter?.finish() }
        #expect(emitter?.isCancelled == false, "A value still waits for a request.")
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

    @Test("S6 a source is torn down before its sink receives the end") func tornDownBeforeTheEnd() {
        let log = Lock<[String]>([])
        let emitters = Lock<Emitter<Int, LawFailure>?>(nil)
        let token = Signal<Int, LawFailure>.create { emitter in
            emitters.withLock { $0 = emitter }
            return { log.withLock { $0.append("torn down") } }
        }.sink(onValue: { _ in }, onCompletion: { _ in log.withLock { $0.append("ended") } })
        emitters.withLock { $0.take() }?.finish()
        #expect(log.withLock { $0 } == ["torn down", "ended"] && token.isEnded)
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

    @Test(.prompt) func anIntervalOfNothingIsAnError() async {
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

    @Test("S2 S3 a lazy sequence makes its elements as they are requested, again for each sink", arguments: 0..<3)
    func lazySequence(_ form: Int) {
        let made = Count()
        let start = 10
        let numbers = Array(1...1_000)
        @Sendable func double(_ number: Int) -> Int {
            made.raise()
            return number * 2
        }
        let signal: Signal<Int, Never> =
            switch form {
            case 0: .sequence(numbers.lazy.dropFirst(start).map { double($0) })
            case 1: .sequence { numbers.lazy.dropFirst(start).map { double($0) } }
            default: .sequence(numbers.lazy.dropFirst(start).map(double).filter { $0 > 0 })
            }
        #expect(made.value == 0)
        for run in 1...3 {
            #expect(signal.prefix(5).record().values == [22, 24, 26, 28, 30])
            // A filter must search for an element to know whether there is one.
            #expect((run * 5...run * 6).contains(made.value))
        }
        let rest = signal.record(demand: .max(1))
        rest.request(.unlimited)
        #expect(rest.values.count == 990 && rest.isEnded)
    }

    @Test("S36 S37 a timer fires once, on its scheduler, and a cancel leaves none behind") func timer() {
        let scheduler = VirtualScheduler()
        let timer = Signal<Void, Never>.timer(.seconds(3), on: scheduler)
        #expect(scheduler.pendingCount == 0)
        let recorder = timer.map { 1 }.record()
        let late = timer.map { 1 }.record(demand: .none)
        scheduler.advance(by: .milliseconds(2_999))
        #expect(recorder.history == [.upstream])
        scheduler.advance(by: .milliseconds(1))
        #expect(recorder.history == [.upstream, .value(1), .finished] && scheduler.pendingCount == 0)
        #expect(late.history == [.upstream])
        late.request(.max(1))
        #expect(late.history == [.upstream, .value(1), .finished])
        let cancelled = timer.record()
        #expect(scheduler.pendingCount == 1)
        cancelled.cancel()
        #expect(scheduler.pendingCount == 0)
        #expect(Signal<Void, Never>.timer(.seconds(3), on: .immediate).map { 1 }.record().values == [1])
        let closed = Signal<Int, Never>.never().prefix(until: .timer(.seconds(1), on: scheduler)).record()
        scheduler.run()
        #expect(closed.isEnded)
    }

    /// Virtual time on which work can take time.
    private struct LateScheduler: SignalScheduler {
        let clock = VirtualScheduler()
        let spent = Lock(Duration.zero)
        var now: Duration { clock.now + spent.withLock { $0 } }

        func schedule(_ work: @escaping @Sendable () -> Void) { clock.schedule(work) }
        func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
            clock.schedule(after: delay, work)
        }
    }

    @Test("S37 R-M3 an interval skips the steps that were due while its sink was busy") func lateInterval() {
        let scheduler = LateScheduler()
        let seen = Lock<[(number: Int, time: Duration)]>([])
        let token = Signal<Int, Never>.interval(.milliseconds(50), on: scheduler).sink { number in
            seen.withLock { $0.append((number, scheduler.now)) }
            if number == 1 { scheduler.spent.withLock { $0 = .milliseconds(410) } }
        }
        scheduler.clock.advance(by: .milliseconds(240))
        token.cancel()
        #expect(seen.withLock { $0.map(\.number) } == [0, 1, 10, 11, 12])
        #expect(seen.withLock { $0.map { $0.time / .milliseconds(1) } } == [50, 100, 550, 600, 650])
    }
}
