import Foundation
import Signals
import SignalsTesting
import Testing

/// What runs on a stack of 512 KiB does not nest: a frame for each value would need many times as much.
@Suite("Depth is 1", .timeLimit(.minutes(10))) struct StackTests {
    /// `make check` asks for a million; a frame for each of these few would be too much for the stack already.
    private static let values = ProcessInfo.processInfo.environment["VALUES"].flatMap(Int.init) ?? 20_000

    @Test("S24 values that are asked for one by one, through every operator", arguments: OperatorRegistry.all)
    func valuesOneByOne(_ registered: RegisteredOperator) {
        let hasEnded = Lock(false)
        let returned = onSmallStack { hasEnded.withLock { $0 = registered.run(Self.values) } }
        #expect(returned && hasEnded.withLock { $0 })
    }

    @Test("S24 a million values through a chain") func million() {
        let count = Count()
        let returned = onSmallStack {
            let upstream = Lock<Upstream?>(nil)
            Signal<Int, Never>.sequence(1...1_000_000).map { $0 + 1 }.filter { $0 > 0 }.attach(
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
        #expect(returned && count.value == 1_000_000)
    }

    /// The same with a source that nests is the end of the process, so that the tests above can fail.
    @Test func aSourceThatNestsIsNoticed() async {
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

    @Test("S26 a hundred thousand sends, each inside the delivery before") func sends() {
        let source = Broadcast<Int, Never>()
        let count = Count()
        let token = source.signal.sink { value in
            count.raise()
            if value < 100_000 { source.send(value + 1) }
        }
        #expect(onSmallStack { source.send(1) })
        #expect(count.value == 100_000)
        token.cancel()
    }

    private static let inner = 100_000

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

    @Test("S25 the release of a hundred thousand inner signals, values and sinks that wait") func release() {
        let returned = onSmallStack {
            let children = Signal<Int, LawFailure>.sequence(1...Self.inner).flatMap { _ in
                Signal<Int, LawFailure>.never()
            }.record()
            children.cancel()
            let source = Broadcast<Int, Never>()
            let buffered = source.signal.buffer(Self.inner, whenFull: .dropOldest).record(demand: .none)
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
