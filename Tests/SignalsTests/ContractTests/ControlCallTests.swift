import SignalsTesting
import Testing

@testable import Signals

/// Threads that attach, request or cancel while other threads send.
@Suite("Control calls", .timeLimit(.minutes(5))) struct ControlCallTests {
    /// Records the thread on which each value was delivered.
    private final class Deliveries: Sendable {
        private let found = Lock<[(value: Int, thread: UInt)]>([])

        func note(_ value: Int) { found.withLock { $0.append((value, LiveThreadID.current)) } }

        /// Returns the values that a thread delivered.
        func values(by thread: UInt) -> [Int] { found.withLock { $0.filter { $0.thread == thread }.map(\.value) } }
    }

    /// A chain on a hot source, which keeps the values that are not requested yet.
    private typealias Stage = @Sendable (Signal<Int, Never>) -> Signal<Int, Never>
    private static let stages: [(name: String, make: Stage)] = [
        ("Broadcast", { $0 }), ("share", { $0.share(bufferSize: 99) }),
        ("share(replay:)", { $0.share(replay: 99) }), ("buffer", { $0.buffer(size: 99, whenFull: .dropOldest) }),
        ("prefetch", { $0.prefetch(high: 99, low: 9) }),
        ("flatMap", { $0.flatMap { .sequence([$0]) } }), ("flatMap(just)", { $0.flatMap { .just($0) } }),
        ("concatMap", { $0.concatMap { .sequence([$0]) } }),
        ("merge", { $0.merge(with: .never()) }), ("zip", { $0.zip(.sequence(1...)).map { $0.0 } }),
        ("withLatest", { $0.withLatest(from: Signal<Int, Never>.just(1)).map { $0.0 } }),
        ("a fenced source", { hot in Signal { hot.attach($0) } }),
        ("prefix(until:)", { $0.prefix(until: Signal<Int, Never>.never()) }),
        ("flatMapLatest", { hot in Signal<Int, Never>.just(1).flatMapLatest { _ in hot } }),
    ]

    @Test("S46 a request delivers the waiting values, and none that other threads send", arguments: stages.indices)
    func request(_ index: Int) async {
        let (name, make) = Self.stages[index]
        let source = Broadcast<Int, Never>(bufferSize: 99)
        let deliveries = Deliveries()
        let byVisitor = Lock<[Int]>([])
        let recorder = make(source.signal).record(demand: .none) { _, event in
            guard case .value(let value) = event else { return }
            deliveries.note(value)
            if value == 1 { onThreads(1) { _ in for number in 2...4 { source.send(number) } } }
        }
        source.send(1)
        onThreads(1) { _ in
            recorder.request(.unlimited)
            byVisitor.withLock { $0 = deliveries.values(by: LiveThreadID.current) }
        }
        // With one slot, later values wait in the source for the slot, which this request frees.
        let own = name == "concatMap" ? [1, 2, 3, 4] : [1]
        #expect(byVisitor.withLock { $0 } == own, "\(name)")
        #expect(await recorder.values(4) == [1, 2, 3, 4], "\(name)")
        // Afterwards, a send delivers again by itself.
        source.send(5)
        #expect(await recorder.values(5) == [1, 2, 3, 4, 5], "\(name)")
        #expect(recorder.breaches == [])
        recorder.cancel()
    }

    @Test("S46 a request delivers values that its sink causes, whatever others have left", arguments: [false, true])
    func ownAfterOthers(conflates: Bool) {
        let source = Broadcast<Int, Never>()
        let stage = conflates ? source.signal.conflate() : source.signal.buffer(size: 99, whenFull: .dropOldest)
        let deliveries = Deliveries()
        let recorder = stage.record(demand: .none) { recorder, event in
            guard case .value(let value) = event else { return }
            deliveries.note(value)
            if value == 1 { onThreads(1) { _ in source.send(2) } }
            if value == 2 {
                recorder.request(.max(1))
                source.send(3)
            }
        }
        source.send(1)
        recorder.request(.max(1))
        #expect(recorder.values == [1])
        recorder.request(.max(1))
        #expect(deliveries.values(by: LiveThreadID.current) == [1, 2, 3])
        recorder.cancel()
    }

    @Test("S19 a source receives the demand that its sink returns for a value delivered inside another")
    func answerInside() {
        let requests = Lock<[Demand]>([])
        let sinks = Lock<Sink<Int, Never>?>(nil)
        let recorder = Recorder<Int, Never>(demand: .max(2), perValue: .max(1)) { _, event in
            guard case .value(1) = event else { return }
            _ = sinks.withLock { $0 }?.receive(2)
        }
        Signal<Int, Never> { sink in
            sinks.withLock { $0 = sink }
            sink.receive(
                upstream: Upstream(request: { more in requests.withLock { $0.append(more) } }, cancel: {}))
        }.attach(recorder.sink)
        // The demand for the first value is returned to its sender.
        #expect(sinks.withLock { $0 }?.receive(1) == .max(1))
        #expect(recorder.values == [1, 2] && requests.withLock { $0 } == [.max(2), .max(1)])
        recorder.cancel()
        sinks.withLock { $0 = nil }
    }

    @Test("S46 an attach delivers the remembered value, and none that other threads send") func attach() async {
        let current = CurrentValue<Int, Never>(0)
        let deliveries = Deliveries()
        let other = current.signal.record()
        let recorder = Recorder<Int, Never> { _, event in
            guard case .value(let value) = event else { return }
            deliveries.note(value)
            if value == 0 { onThreads(1) { _ in for number in 1...3 { current.send(number) } } }
        }
        let byVisitor = Lock<[Int]>([])
        onThreads(1) { _ in
            current.signal.attach(recorder.sink)
            byVisitor.withLock { $0 = deliveries.values(by: LiveThreadID.current) }
        }
        #expect(byVisitor.withLock { $0 } == [0])
        #expect(await recorder.values(4) == [0, 1, 2, 3])
        #expect(await other.values(4) == [0, 1, 2, 3])
        for recorder in [recorder, other] {
            #expect(recorder.breaches == [])
            recorder.cancel()
        }
    }

    @Test("S26 S46 values sent inside a control call are delivered before it returns") func own() {
        let current = CurrentValue<Int, Never>(0)
        let recorder = current.signal.record { _, event in
            if case .value(let value) = event, value < 3 { current.send(value + 1) }
        }
        #expect(recorder.values == [0, 1, 2, 3])
        recorder.cancel()
        let source = Broadcast<Int, Never>(bufferSize: 9)
        let asked = source.signal.flatMap { .sequence([$0]) }.record(demand: .none) { _, event in
            if case .value(let value) = event, value < 3 { source.send(value + 1) }
        }
        source.send(1)
        asked.request(.unlimited)
        #expect(asked.values == [1, 2, 3])
        asked.cancel()
    }

    @Test("S29 S46 during a flood, attach and cancel deliver nothing and lose nothing") func flood() async {
        let source = Broadcast<Int, Never>()
        let deliveries = Deliveries()
        let recorder = source.signal.record { _, event in
            if case .value(let value) = event { deliveries.note(value) }
        }
        let visits = Count()
        let sent = Count()
        let byVisitor = Lock<[Int]>([])
        let returned = onThreads(2) { thread in
            while thread == 0 && visits.value < 2_000 && sent.value < 200_000 { source.send(sent.raise()) }
            while thread == 1 && visits.value < 2_000 {
                let guest = source.signal.record { _, event in
                    if case .value(let value) = event { deliveries.note(value) }
                }
                guest.cancel()
                visits.raise()
            }
            if thread == 1 { byVisitor.withLock { $0 = deliveries.values(by: LiveThreadID.current) } }
        }
        #expect(returned && byVisitor.withLock { $0 } == [])
        // Another thread delivers the values that were left during the last control call.
        #expect(await recorder.values(sent.value) == Array(1...sent.value))
        #expect(recorder.breaches == [])
        recorder.cancel()
    }
}
