import Signals
import SignalsTesting
import TestTraits
import Testing

@Suite("Demand", .timeLimit(.minutes(5))) struct DemandTests {
    @Test("S15 sums and products saturate, and unlimited stays unlimited") func saturation() {
        #expect(Demand.max(.max - 1) + .max(5) == .unlimited)
        #expect(Demand.unlimited + .max(1) == .unlimited)
        #expect(Demand.max(1) + .unlimited == .unlimited)
        #expect(Demand.max(.max / 2) * 3 == .unlimited)
        #expect(Demand.unlimited * 2 == .unlimited && Demand.unlimited * 0 == .none)
        #expect(Demand.max(2) * 3 == .max(6))
        #expect(Demand.none < .max(1) && .max(1) < .unlimited)
        #expect(Demand.max(3).limit == 3 && Demand.unlimited.limit == nil)
        #expect("\(Demand.max(3)) \(Demand.unlimited)" == "3 unlimited")
    }

    @Test("S15 S16 a negative demand cannot be made", .prompt) func negative() async {
        await #expect(processExitsWith: .failure) { _ = Demand.max(-1) }
        await #expect(processExitsWith: .failure) { _ = Demand.max(1) * -1 }
    }

    @Test("S15 a million requests for one value add up to a million") func singleRequests() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.map { $0 }.prefetch(high: 2, low: 0).record(demand: .none)
        for _ in 0..<1_000_000 { recorder.request(.max(1)) }
        #expect(recorder.outstanding == .max(1_000_000))
        for number in 0..<10 { probe.send(number) }
        #expect(recorder.values.count == 10)
        recorder.cancel()
    }

    @Test("S16 a request for none is not passed on") func none() {
        let requests = Count()
        let upstream = Upstream(request: { _ in requests.raise() }, cancel: {})
        upstream.request(.none)
        #expect(requests.value == 0)
        upstream.request(.max(1))
        #expect(requests.value == 1)
    }

    @Test("S14 requests from four threads deliver exactly as many values") func exact() {
        for _ in 0..<100 {
            let recorder = Signal<Int, Never>.sequence(1...).record(demand: .none)
            onThreads(4) { _ in for _ in 0..<50 { recorder.request(.max(1)) } }
            #expect(recorder.values == Array(1...200))
            report(recorder.breaches)
            recorder.cancel()
        }
    }

    @Test("S20 values that a source delivers beyond the demand are held back, and reported") func overDelivery() {
        struct Item: Sendable, Equatable { let number: Int }
        let discards = Discards(of: Item.self)
        let probe = Probe<Item, Never>(.faulty)
        let recorder = probe.signal.record(demand: .max(2))
        for number in 1...5 { probe.send(Item(number: number)) }
        #expect(recorder.values.map(\.number) == [1, 2])
        #expect(discards.payloads.map(\.number) == [3, 4, 5] && discards.reasons.allSatisfy { $0 == .overflow })
        recorder.request(.max(1))
        probe.send(Item(number: 6))
        #expect(recorder.values.map(\.number) == [1, 2, 6])
        recorder.cancel()
    }

    @Test(
        "S23 the values that a hot source keeps for a sink without demand",
        arguments: [
            (0, BufferingStrategy<Never>.dropNewest, [Int]()), (0, .dropOldest, []), (1, .dropOldest, [5]),
            (2, .dropNewest, [1, 2]), (2, .dropOldest, [4, 5]), (.max, .dropOldest, [1, 2, 3, 4, 5]),
        ])
    func buffering(size: Int, strategy: BufferingStrategy<Never>, kept: [Int]) {
        let broadcast = Broadcast<Int, Never>(bufferSize: size, whenFull: strategy)
        let recorder = broadcast.signal.record(demand: .none)
        for number in 1...5 { broadcast.send(number) }
        recorder.request(.unlimited)
        #expect(recorder.values == kept)
        let created = Lock<Emitter<Int, Never>?>(nil)
        let other = Signal<Int, Never>.create(bufferSize: size, whenFull: strategy) { emitter in
            created.withLock { $0 = emitter }
            return {}
        }.record(demand: .none)
        for number in 1...5 { created.withLock { $0 }?.send(number) }
        created.withLock { $0 = nil }
        other.request(.unlimited)
        #expect(other.values == kept)
        other.cancel()
    }

    @Test("S23 a hot source cannot wait for its sinks", .prompt) func waiting() async {
        await #expect(processExitsWith: .failure) { _ = Broadcast<Int, Never>(bufferSize: 1, whenFull: .suspend) }
        await #expect(processExitsWith: .failure) { _ = Broadcast<Int, Never>(bufferSize: -1) }
    }
}
