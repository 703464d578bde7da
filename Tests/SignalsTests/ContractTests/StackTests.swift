import Foundation
import Signals
import SignalsLaws
import SignalsTesting
import TestTraits
import Testing

/// Runs on a stack of 512 KiB, which would overflow if they nested: a frame for each value needs many times as much.
@Suite("Depth is 1", .timeLimit(.minutes(10))) struct StackTests {
    /// `make check` sets 200,000, but a frame for each of these few would overflow the stack already.
    private static let values = ProcessInfo.processInfo.environment["VALUES"].flatMap(Int.init) ?? 6_000

    @Test("S24 values requested one by one, through every operator", arguments: OperatorRegistry.all)
    func valuesOneByOne(_ registered: RegisteredOperator) {
        let hasEnded = Lock(false)
        let returned = onSmallStack { hasEnded.withLock { $0 = registered.run(Self.values) } }
        #expect(returned && hasEnded.withLock { $0 })
    }

    @Test("S24 many values through a chain") func million() {
        let (count, million) = (Count(), 5 * Self.values)
        let returned = onSmallStack {
            let upstream = Lock<Upstream?>(nil)
            Signal<Int, Never>.sequence(1...million).map { $0 + 1 }.filter { $0 > 0 }.attach(
                Sink(
                    onUpstream: { new in
                        upstream.withLock { $0 = new }
                        new.request(.max(1))
                    },
                    onValue: { _ in
                        count.raise()
                        upstream.withLock { $0 }?.request(.max(1))
                        return .none
                    },
                    onCompletion: { _ in _ = upstream.withLock { $0.take() } }))
        }
        #expect(returned && count.value == million)
    }

    /// A source that nests crashes the process, which shows that the tests above can fail.
    @Test(.prompt) func aSourceThatNestsIsNoticed() async {
        await #expect(processExitsWith: .failure) {
            _ = onSmallStack {
                let next = Count()
                Signal<Int, Never>(trusted: { sink in
                    sink.receive(
                        upstream: Upstream(
                            request: { _ in if next.raise() < 20_000 { _ = sink.receive(1) } }, cancel: {}))
                }).attach(
                    Recorder<Int, Never>(demand: .max(1)) { recorder, _ in recorder.request(.max(1)) }.sink)
            }
        }
    }

    @Test("S26 a hundred thousand sends, each inside the previous delivery") func sends() {
        let source = Broadcast<Int, Never>()
        let count = Count()
        let token = source.signal.sink { value in
            count.raise()
            if value < Self.inner { source.send(value + 1) }
        }
        #expect(onSmallStack { source.send(1) })
        #expect(count.value == Self.inner)
        token.cancel()
    }

    /// Fewer under a sanitizer, which would take minutes and finds nothing about depth.
    private static let inner = min(100_000, 5 * values)

    private static let chains: [(name: String, make: @Sendable (Signal<Int, LawFailure>) -> Signal<Int, LawFailure>)] =
        [
            ("concatMap", { $0.concatMap { .sequence([$0]) } }),
            ("flatMap of two", { $0.flatMap(maxConcurrent: .max(2)) { .sequence([$0]) } }),
            ("flatMap", { $0.flatMap { .sequence([$0]) } }),
            ("flatMap(just)", { $0.flatMap { .just($0) } }),
            ("flatMapLatest", { $0.flatMapLatest { .just($0) } }),
            ("flatMapLatest of sequences", { $0.flatMapLatest { .sequence([$0]) } }),
        ]

    @Test("S25 a hundred thousand inner signals, one after another", arguments: chains.indices)
    func inners(_ index: Int) {
        let recorder = Recorder<Int, LawFailure>()
        let chain = Self.chains[index].make(.sequence(1...Self.inner))
        #expect(onSmallStack { chain.attach(recorder.sink) })
        #expect(recorder.isEnded && recorder.values.count == Self.inner, "\(Self.chains[index].name)")
    }

    @Test("S25 catch after catch") func catches() {
        let attempts = Count()
        @Sendable func attempt() -> Signal<Int, LawFailure> {
            Signal<Int, LawFailure>.deferred { attempts.raise() < Self.inner ? .fail(LawFailure()) : .just(1) }
        }
        let recorder = Recorder<Int, LawFailure>()
        #expect(onSmallStack { attempt().retry().append(attempt().retry()).attach(recorder.sink) })
        #expect(recorder.isEnded && attempts.value >= Self.inner)
    }

    private typealias Page = @Sendable (_ number: Int) -> Signal<Int, LawFailure>
    /// Signals that continue with themselves, a hundred thousand times.
    private static let recursions: [(name: String, make: Page)] = [
        ("append", { $0 == 0 ? .empty() : .just($0).append(.deferred { [number = $0] in page(0, number - 1) }) }),
        ("prepend", { number in number == 0 ? .empty() : Signal.deferred { page(1, number - 1) }.prepend(number) }),
        (
            "catch",
            { number in
                number == 0
                    ? .empty()
                    : Signal<Int, LawFailure>.just(number).append(.fail(LawFailure())).catch { _ in page(2, number - 1)
                    }
            }
        ),
        (
            "append and catch in turn",
            { number in
                let rest = Signal<Int, LawFailure>.deferred { page(3, number - 1) }
                if number == 0 { return .empty() }
                return number.isMultiple(of: 2)
                    ? .just(number).append(rest) : .just(number).append(.fail(LawFailure())).catch { _ in rest }
            }
        ),
    ]

    /// Operators that are applied in a loop, each time to the previous result.
    private static let loops: [(name: String, apply: @Sendable (Signal<Int, LawFailure>) -> Signal<Int, LawFailure>)] =
        [
            ("merge", { $0.merge(with: .empty()) }), ("append", { $0.append(.empty()) }), ("share", { $0.share() }),
            ("catch", { $0.catch { .fail($0) } }), ("zip", { $0.zip(.sequence(1...)).map { $0.0 } }),
            ("combineLatest", { $0.combineLatest(.just(0)).map { $0.0 } }),
            ("flatMapLatest", { $0.flatMapLatest { .just($0) } }),
            ("receive", { $0.receive(on: .immediate) }), ("retry", { $0.retry(1) }),
            ("buffer", { $0.buffer(size: 4, whenFull: .fail(LawFailure())) }),
            ("flatMap", { $0.flatMap { .just($0) } }),
            ("concatMap", { $0.concatMap { .just($0) } }),
        ]

    @Test("S25 sixty-four stages of one operator", arguments: loops.indices) func stages(_ index: Int) {
        let (name, apply) = Self.loops[index]
        let recorder = Recorder<Int, LawFailure>()
        // The address sanitizer makes each frame several times as large.
        let isPadded = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
        let returned = onThreads(1, stackSize: (isPadded ? 16 : 1) * 512 * 1_024) { _ in
            (0..<64).reduce(Signal<Int, LawFailure>.just(1)) { signal, _ in apply(signal) }.attach(recorder.sink)
        }
        #expect(returned && recorder.values == [1], "\(name)")
        recorder.cancel()
    }

    @Sendable private static func page(_ recursion: Int, _ number: Int) -> Signal<Int, LawFailure> {
        recursions[recursion].make(number)
    }

    @Test("S25 a signal that continues with itself a hundred thousand times", arguments: recursions.indices)
    func recursion(_ index: Int) {
        let name = Self.recursions[index].name
        let all = Recorder<Int, LawFailure>()
        #expect(onSmallStack { Self.page(index, Self.inner).attach(all.sink) })
        #expect(all.isEnded && all.values == (1...Self.inner).reversed() && all.breaches == [], "\(name)")
        let asking = Recorder<Int, LawFailure>(demand: .max(1), perValue: .max(1))
        let cancelling = Recorder<Int, LawFailure>(cancelAt: 2_000)
        let later = Recorder<Int, LawFailure>(demand: .max(2_000))
        let returned = onSmallStack {
            for recorder in [asking, cancelling, later] { Self.page(index, 4_000).attach(recorder.sink) }
            later.request(.max(1))
            later.cancel()
        }
        #expect(returned && asking.isEnded && asking.values == (1...4_000).reversed(), "\(name)")
        #expect(cancelling.values.count == 2_000 && later.values.count == 2_001, "\(name)")
        for recorder in [asking, cancelling, later] { #expect(recorder.breaches == [], "\(name)") }
    }

    @Test("S25 the release of a hundred thousand inner signals, waiting values and sinks") func release() {
        let returned = onSmallStack {
            let children = Signal<Int, LawFailure>.sequence(1...Self.inner).flatMap { _ in
                Signal<Int, LawFailure>.never()
            }.record()
            children.cancel()
            let source = Broadcast<Int, Never>()
            let buffered = source.signal.buffer(size: Self.inner, whenFull: .dropOldest).record(demand: .none)
            for number in 1...Self.inner { source.send(number) }
            buffered.cancel()
            var tokens: [SignalToken] = []
            for _ in 1...Self.inner { tokens.append(source.signal.sink { _ in }) }
            source.send(1)
            tokens = []
            let race = Signal.race((0..<10_000).map { _ in Signal<Int, Never>.never() }).record()
            race.cancel()
        }
        #expect(returned)
    }
}
