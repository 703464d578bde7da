import Signals
import SignalsTesting
import Testing

@Suite("Sharing", .timeLimit(.minutes(5))) struct SharingTests {
    @Test("S38 eight threads attach and cancel, and no upstream stays attached") func balance() {
        for _ in 0..<50 {
            let live = Lock((now: 0, most: 0))
            let shared = Signal<Int, Never>.create { _ in
                live.withLock { live in
                    live.now += 1
                    live.most = max(live.most, live.now)
                }
                return { live.withLock { $0.now -= 1 } }
            }.share()
            onThreads(8) { _ in for _ in 0..<25 { shared.record().cancel() } }
            #expect(live.withLock { $0.now } == 0)
            let recorder = shared.record()
            live.withLock { $0.most = 0 }
            onThreads(8) { _ in for _ in 0..<25 { shared.record().cancel() } }
            // While one sink stays, the upstream is not attached again.
            #expect(live.withLock { $0 } == (1, 0))
            recorder.cancel()
            #expect(live.withLock { $0.now } == 0)
        }
    }

    @Test("S39 a sink that attaches while values are sent gets the current value and all that follow")
    func currentValue() async {
        for _ in 0..<50 {
            let current = CurrentValue<Int, Never>(0)
            let recorders = Lock<[Recorder<Int, Never>]>([])
            onThreads(2) { thread in
                for number in 1...100 {
                    if thread == 0 {
                        current.send(number)
                    } else if number.isMultiple(of: 10) {
                        let recorder = current.signal.record()
                        recorders.withLock { $0.append(recorder) }
                    }
                }
            }
            // A value sent during an attach may arrive a moment later.
            current.send(101)
            for recorder in recorders.withLock({ $0 }) {
                let first = recorder.values.first ?? 0
                #expect(await recorder.values(102 - first) == Array(first...101))
                report(recorder.breaches)
            }
        }
    }

    @Test("S39 the remembered value is the last one that was delivered") func quiescence() {
        for _ in 0..<100 {
            let current = CurrentValue<Int, Never>(0)
            let recorder = current.signal.record()
            onThreads(4) { thread in for number in 1...25 { current.send(thread * 100 + number) } }
            #expect(recorder.values.last == current.value && recorder.values.count == 101)
        }
    }

    @Test("S40 sinks are served in the order they attached, even after some have left") func order() {
        let source = Broadcast<Int, Never>()
        let order = Lock<[Int]>([])
        var tokens = (0..<100).map { index in source.signal.sink { _ in order.withLock { $0.append(index) } } }
        for index in 0..<100 where index % 3 != 0 { tokens[index].cancel() }
        tokens.append(source.signal.sink { _ in order.withLock { $0.append(100) } })
        source.send(1)
        #expect(order.withLock { $0 } == (0..<100).filter { $0 % 3 == 0 } + [100])
        withExtendedLifetime(tokens) {}
    }

    private typealias Hot = (signal: Signal<Int, Never>, send: @Sendable (Int) -> Void)
    private static let hot: [@Sendable () -> Hot] = [
        {
            let broadcast = Broadcast<Int, Never>()
            return (broadcast.signal, { broadcast.send($0) })
        },
        {
            let current = CurrentValue<Int, Never>(0)
            return (current.signal, { current.send($0) })
        },
        {
            let upstream = Broadcast<Int, Never>()
            return (upstream.signal.share(), { upstream.send($0) })
        },
        {
            let upstream = Broadcast<Int, Never>()
            return (upstream.signal.multicast().autoconnect(), { upstream.send($0) })
        },
    ]

    @Test("S34 a sink that leaves is released at once, however many stay", arguments: hot.indices)
    func releasedAtOnce(_ index: Int) {
        let (signal, send) = Self.hot[index]()
        for staying in [1, 2, 5, 100] {
            for leaving in 1...3 {
                let stay = (0..<staying).map { _ in Recorder<Int, Never>() }
                var tokens: [SignalToken] = []
                weak var watched: Count?
                for recorder in stay { signal.attach(recorder.sink) }
                do {
                    let count = Count()
                    watched = count
                    for _ in 0..<leaving { tokens.append(signal.sink { _ in count.raise() }) }
                }
                send(1)
                for token in tokens { token.cancel() }
                #expect(watched == nil, "\(leaving) left, \(staying) stay")
                send(2)
                for recorder in stay {
                    #expect(recorder.values.suffix(2) == [1, 2])
                    recorder.cancel()
                }
            }
        }
    }
}
