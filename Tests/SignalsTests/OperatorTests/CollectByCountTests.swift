import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct CollectByCountTests {
    private struct Item: Sendable, Hashable { let number: Int }

    @Test func groupsAndARestAtTheFinish() {
        let recorder = Signal<Int, Never>.sequence(1...5).collect(2).record()
        #expect(recorder.history == [.upstream, .value([1, 2]), .value([3, 4]), .value([5]), .finished])
    }

    @Test("S14 S15 a request for a group requests as many values as it holds, saturating") func demand() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.collect(3).record(demand: .max(2))
        #expect(probe.outstanding() == .max(6))
        recorder.request(.max(.max - 1))
        #expect(probe.outstanding() == .unlimited)
        recorder.cancel()
    }

    @Test("S12 the rest waits for a request, and is dropped at a failure") func rest() {
        let probe = Probe<Item, LawFailure>()
        let recorder = probe.signal.collect(2).record(demand: .max(2))
        for number in 1...3 { probe.send(Item(number: number)) }
        let discards = Discards(of: Item.self)
        probe.fail(LawFailure())
        #expect(recorder.values == [[Item(number: 1), Item(number: 2)]])
        #expect(recorder.completion == .failure(LawFailure()))
        #expect(discards.payloads == [Item(number: 3)])
        let finished = Signal<Int, Never>.sequence(1...3).collect(2).record(demand: .max(2))
        #expect(finished.history == [.upstream, .value([1, 2]), .value([3]), .finished])
    }
}
