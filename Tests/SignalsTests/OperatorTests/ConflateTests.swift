import Signals
import SignalsTesting
import Testing

@Suite struct ConflateTests {
    @Test("S19 S22 a sink that has fallen behind gets the latest value, and the last before the end") func latest() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.conflate().record(demand: .max(1))
        for number in 1...5 { probe.send(number) }
        #expect(recorder.values == [1])
        recorder.request(.max(1))
        #expect(recorder.values == [1, 5])
        for number in 6...8 { probe.send(number) }
        probe.finish()
        #expect(!recorder.isEnded)
        recorder.request(.max(1))
        #expect(recorder.history == [.upstream, .value(1), .value(5), .value(8), .finished])
    }

    @Test("S22 of a million values, the last one arrives") func million() {
        let source = Broadcast<Int, Never>()
        let recorder = source.signal.conflate().record(demand: .max(1))
        for number in 1...1_000_000 { source.send(number) }
        source.send(completion: .finished)
        recorder.request(.unlimited)
        #expect(recorder.values == [1, 1_000_000] && recorder.isEnded)
    }

    @Test("S34 a value that a newer one replaces is not reported") func replaced() {
        struct Item: Sendable { let number: Int }
        let discards = Discards(of: Item.self)
        let probe = Probe<Item, Never>()
        let recorder = probe.signal.conflate().record(demand: .none)
        for number in 1...3 { probe.send(Item(number: number)) }
        #expect(discards.payloads.isEmpty)
        recorder.cancel()
    }

    @Test func valuesAreMergedIntoOne() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.conflate { $0 += $1 }.record(demand: .none)
        for number in 1...4 { probe.send(number) }
        recorder.request(.max(1))
        probe.send(5)
        recorder.request(.max(1))
        #expect(recorder.values == [10, 5])
        recorder.cancel()
    }
}
