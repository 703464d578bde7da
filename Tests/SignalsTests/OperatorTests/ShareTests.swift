import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ShareTests {
    @Test("S2 S34 S38 S39") func laws() {
        report(Laws.verifyMulticast(replays: 0) { $0.share() })
        report(Laws.verifyMulticast(replays: 0) { $0.share(bufferSize: 4, whenFull: .dropOldest) })
    }

    @Test(
        "S23 a sink that has fallen behind gets the values that the strategy keeps",
        arguments: [
            (0, BufferingStrategy<Never>.dropNewest, [1]), (1, .dropOldest, [1, 4]), (2, .dropNewest, [1, 2, 3]),
        ])
    func buffering(size: Int, strategy: BufferingStrategy<Never>, expected: [Int]) {
        let source = Broadcast<Int, Never>()
        let recorder = source.signal.share(bufferSize: size, whenFull: strategy).record(demand: .max(1))
        for number in 1...4 { source.send(number) }
        recorder.request(.unlimited)
        #expect(recorder.values == expected)
        recorder.cancel()
    }

    @Test("S38 a source that ends as it is attached delivers everything to its first sink") func synchronous() {
        let shared = Signal<Int, Never>.sequence(1...3).share()
        #expect(shared.record().history == [.upstream, .value(1), .value(2), .value(3), .finished])
        #expect(shared.record().values == [1, 2, 3])
    }

    @Test("S38 a sink that attaches inside the first value joins the same run") func inside() {
        let attached = Count()
        let source = Broadcast<Int, Never>()
        let shared = Signal<Int, Never>.deferred {
            attached.raise(); return source.signal
        }.share()
        let late = Recorder<Int, Never>()
        let first = shared.record { _, event in if case .value(1) = event { shared.attach(late.sink) } }
        source.send(1)
        source.send(2)
        #expect(first.values == [1, 2] && late.values == [2] && attached.value == 1)
        first.cancel()
        late.cancel()
    }

    /// The operators that share a source.
    private static let shared: [@Sendable (Signal<Int, LawFailure>) -> Signal<Int, LawFailure>] = [
        { $0.share() }, { $0.share(bufferSize: 3, whenFull: .dropOldest) }, { $0.share(replay: 2) },
        { $0.share(replay: 2, linger: .seconds(1), on: VirtualScheduler()) }, { $0.multicast().autoconnect() },
    ]

    @Test("S38 R-M1 a source that can wait waits for requests, and loses nothing", arguments: shared.indices)
    func waits(_ index: Int) {
        let share = Self.shared[index]
        let made = Count()
        let numbers = Signal<Int, LawFailure>.unfold(0) { state in
            made.raise()
            state += 1
            return state > 100 ? nil : state
        }
        let recorder = share(numbers).record(demand: .none)
        #expect(made.value == 0 && recorder.history == [.upstream])
        for count in 1...50 {
            recorder.request(.max(1))
            #expect(made.value == count && recorder.values == Array(1...count))
        }
        let second = share(numbers).record(demand: .max(1), perValue: .max(1))
        #expect(second.values == Array(1...100) && second.isEnded)
        recorder.request(.max(49))
        #expect(recorder.values == Array(1...99) && !recorder.isEnded)
        recorder.request(.max(2))
        #expect(recorder.values == Array(1...100) && recorder.isEnded)
        for source in [Signal<Int, LawFailure>.just(7), .sequence(1...7).collect().map { $0.count }] {
            let late = share(source).record(demand: .none)
            #expect(late.values.isEmpty)
            late.request(.max(1))
            #expect(late.values == [7] && late.isEnded)
        }
    }

    @Test("S38 S41 R-M1 the first loop over a shared sequence gets all of it", arguments: shared.indices)
    func loops(_ index: Int) async throws {
        let numbers = Signal<Int, LawFailure>.sequence(1...100)
        for source in [numbers, numbers.flatMap { .just($0) }, numbers.append(.empty()), numbers.prefix(100)] {
            var values: [Int] = []
            for try await value in Self.shared[index](source).values { values.append(value) }
            #expect(values == Array(1...100))
        }
    }

    @Test("S38 R-M1 the most demanding sink decides how much is requested", arguments: shared.indices)
    func mostDemanding(_ index: Int) {
        let probe = Probe<Int, LawFailure>()
        let shared = Self.shared[index](probe.rawSignal)
        let first = shared.record(demand: .max(2))
        #expect(probe.outstanding() == .max(2))
        let second = shared.record(demand: .max(3))
        #expect(probe.outstanding() == .max(3))
        probe.send(1)
        first.request(.max(1))
        #expect(probe.outstanding() == .max(2))
        first.request(.max(1))
        #expect(probe.outstanding() == .max(3))
        second.request(.unlimited)
        #expect(probe.outstanding() == .unlimited)
        for number in 2...9 { probe.send(number) }
        #expect(second.values == Array(1...9))
        first.cancel()
        second.cancel()
        #expect(probe.liveCount == 1 || index != 3)
    }

    @Test("S38 S17 R-M1 a source that cannot wait is not limited", arguments: shared.indices)
    func hot(_ index: Int) {
        let source = Broadcast<Int, LawFailure>()
        for signal in [source.signal, source.signal.prefix(90)] {
            let late = Recorder<Int, LawFailure>(demand: .max(5))
            let shared = Self.shared[index](signal)
            let recorder = shared.record(demand: .none)
            for number in 1...4 { source.send(number) }
            recorder.request(.max(1))
            source.send(5)
            shared.attach(late.sink)
            for number in 6...8 { source.send(number) }
            recorder.request(.unlimited)
            switch index {
            case 0, 4: #expect(recorder.values == [5] && late.values == [6, 7, 8])
            case 1: #expect(recorder.values == [2, 6, 7, 8] && late.values == [6, 7, 8])
            default: #expect(recorder.values == [3, 7, 8] && late.values == [4, 5, 6, 7, 8])
            }
            recorder.cancel()
            late.cancel()
        }
    }

    @Test("S38 R-M1 a multicast that is connected again requests the missing values") func again() {
        let probe = Probe<Int, Never>()
        let numbers = probe.rawSignal.multicast()
        let recorder = numbers.signal.record(demand: .max(5))
        let first = numbers.connect()
        #expect(probe.outstanding() == .max(5))
        probe.send(1)
        first.cancel()
        recorder.request(.max(2))
        let second = numbers.connect()
        #expect(probe.outstanding() == .max(6))
        probe.send(2)
        #expect(recorder.values == [1, 2] && probe.outstanding() == .max(5))
        recorder.request(.unlimited)
        #expect(probe.outstanding() == .unlimited)
        second.cancel()
        recorder.cancel()
    }

    @Test("S7 S38 R-M1 while sinks on other threads request a little at a time, no sink waits forever")
    func threads() async {
        for _ in 0..<50 {
            let shared = Signal<Int, Never>.sequence(1...400).share(bufferSize: 1_000)
            let recorders = (0..<4).map { _ in Recorder<Int, Never>(demand: .max(1)) }
            onThreads(4) { thread in
                shared.attach(recorders[thread].sink)
                for _ in 0..<400 { recorders[thread].request(.max(1)) }
            }
            for recorder in recorders {
                recorder.request(.unlimited)
                // Values requested during another thread's control call may arrive a moment later.
                _ = await recorder.end()
                let values = recorder.values
                #expect(values == Array((values.first ?? 401)..<401) && recorder.isEnded && recorder.breaches.isEmpty)
            }
        }
    }
}
