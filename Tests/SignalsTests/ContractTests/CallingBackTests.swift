import Signals
import SignalsTesting
import Testing

@Suite("Calling back", .timeLimit(.minutes(5))) struct CallingBackTests {
    /// Runs something when it is released.
    final class AtRelease: Sendable {
        private let action: @Sendable () -> Void
        init(_ action: @escaping @Sendable () -> Void) { self.action = action }
        deinit { action() }
    }

    /// Calls back into a run: attaches and cancels another sink, and requests a value.
    private static func reenter<Value>(
        _ source: Broadcast<Value, Never>, _ signal: Signal<Value, Never>, _ upstream: Lock<Upstream?>
    ) {
        signal.sink { _ in }.cancel()
        upstream.withLock { $0 }?.request(.max(1))
    }

    @Test("S28 a value whose release calls back, through every stage that holds values") func valueRelease() {
        typealias Held = AtRelease
        let clock = VirtualScheduler()
        let stages: [@Sendable (Signal<Held, Never>) -> Signal<Held, Never>] = [
            { $0 }, { $0.buffer(size: 2, whenFull: .dropOldest) }, { $0.buffer(size: 2, whenFull: .dropNewest) },
            { $0.conflate() },
            { $0.prefetch(high: 4, low: 1) }, { $0.share(replay: 2) }, { $0.flatMap { .just($0) } },
            { $0.flatMap { .sequence([$0, $0]) } }, { $0.flatMapLatest { .just($0) } }, { $0.last() },
            { $0.combineLatest(Signal<Int, Never>.just(1)).map { $0.0 } },
            { $0.zip(Signal<Int, Never>.sequence(1...)).map { $0.0 } },
            { $0.withLatest(from: Signal<Int, Never>.just(1)).map { $0.0 } },
            { $0.drop(until: Signal<Int, Never>.never()) },
            { $0.receive(on: clock) }, { $0.delay(for: .seconds(1), on: clock) },
            { $0.debounce(for: .seconds(1), on: clock) }, { $0.append(.never()) },
        ]
        for (number, stage) in stages.enumerated() {
            let returned = onThreads(1) { _ in
                let source = Broadcast<Held, Never>(bufferSize: 1, whenFull: .dropOldest)
                let signal = stage(source.signal)
                let upstream = Lock<Upstream?>(nil)
                signal.attach(
                    Sink(
                        onUpstream: { new in
                            upstream.withLock { $0 = new }
                            new.request(.max(2))
                        }, onValue: { _ in .none }, onCompletion: { _ in }))
                for _ in 0..<8 { source.send(AtRelease { Self.reenter(source, signal, upstream) }) }
                upstream.withLock { $0.take() }?.cancel()
                // The release of waiting values may have attached further runs.
                source.send(completion: .finished)
                while let last = upstream.withLock({ $0.take() }) { last.cancel() }
                clock.run()
            }
            #expect(returned, "Stage \(number) released a value under a lock.")
        }
    }

    @Test("S28 a closure whose release calls back, when its run is cancelled or ends") func closureRelease() {
        let returned = onThreads(1) { _ in
            for ends in [true, false] {
                let source = Broadcast<Int, Never>()
                let released = Count()
                let token = SignalToken()
                do {
                    let held = AtRelease {
                        released.raise()
                        token.cancel()
                        source.send(7)
                        source.signal.sink { _ in }.cancel()
                    }
                    source.signal.buffer(size: 1, whenFull: .dropOldest).flatMap { .just($0) }.receive(on: .immediate)
                        .sink(
                            cancelledBy: token, onValue: { _ in withExtendedLifetime(held) {} }, onCompletion: { _ in })
                }
                source.send(1)
                if ends { source.send(completion: .finished) } else { token.cancel() }
                if released.value != 1 { Issue.record("The closure was released \(released.value) times.") }
            }
        }
        #expect(returned)
    }

    @Test("S28 hooks, teardowns and handlers may call back") func hooks() {
        let returned = onThreads(1) { _ in
            struct Item: Sendable {}
            let source = Broadcast<Item, Never>()
            let inner = Lock<SignalToken?>(nil)
            let token = DiscardHook.observe { discard in
                guard discard.payload is Item else { return }
                inner.withLock { $0 = DiscardHook.observe { _ in } }
            }
            let recorder = source.signal.record(demand: .none)
            source.send(Item())
            recorder.cancel()
            token.cancel()
            let created = Signal<Int, Never>.create { emitter in { emitter.send(1) } }
            created.record().cancel()
            inner.withLock { $0.take() }?.cancel()
        }
        #expect(returned)
    }

    @Test("S28 two chains that cancel each other on two threads") func lockInversion() {
        for _ in 0..<500 {
            let sources = (0..<2).map { _ in Broadcast<Int, Never>() }
            let tokens = (0..<2).map { _ in SignalToken() }
            for index in 0..<2 {
                sources[index].signal.flatMap { .just($0) }.buffer(size: 2, whenFull: .dropOldest).sink(
                    cancelledBy: tokens[index],
                    onValue: { _ in
                        sources[1 - index].send(1)
                        tokens[1 - index].cancel()
                    }, onCompletion: { _ in })
            }
            #expect(onThreads(2) { sources[$0].send(1) })
            for token in tokens { token.cancel() }
        }
    }

    @Test("S26 all sinks see the earlier value first") func sendInside() {
        let source = Broadcast<Int, Never>()
        let first = source.signal.record { _, event in if event == .value(1) { source.send(2) } }
        let second = source.signal.record()
        source.send(1)
        #expect(first.values == [1, 2] && second.values == [1, 2])
        report(first.breaches + second.breaches)
        first.cancel()
        second.cancel()
    }

    @Test("S27 an end, a cancel and an attach inside a delivery") func endInside() {
        let source = Broadcast<Int, Never>()
        let late = Recorder<Int, Never>()
        let recorder = source.signal.record { recorder, event in
            guard event == .value(1) else { return }
            source.send(completion: .finished)
            source.signal.attach(late.sink)
        }
        source.send(1)
        source.send(2)
        #expect(recorder.history == [.upstream, .value(1), .finished])
        #expect(late.history == [.upstream, .finished])
    }
}
