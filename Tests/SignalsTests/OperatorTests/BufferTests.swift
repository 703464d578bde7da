import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct BufferTests {
    private struct Item: Sendable, Hashable { let number: Int }

    /// Sends 1 to 10 into a buffer of five without demand, and then requests everything.
    private func fill(_ strategy: BufferingStrategy<LawFailure>) -> (
        history: [Recorder<Int, LawFailure>.Event], probe: Probe<Int, LawFailure>
    ) {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.buffer(size: 5, whenFull: strategy).record(demand: .none)
        for number in 1...10 { probe.send(number) }
        probe.finish()
        recorder.request(.unlimited)
        #expect(recorder.breaches == [])
        return (recorder.history, probe)
    }

    @Test("S21 dropOldest keeps the newest") func dropOldest() {
        #expect(fill(.dropOldest).history == [.upstream] + (6...10).map { .value($0) } + [.finished])
    }

    @Test("S21 dropNewest keeps the oldest") func dropNewest() {
        #expect(fill(.dropNewest).history == [.upstream] + (1...5).map { .value($0) } + [.finished])
    }

    @Test("S21 fail delivers the buffered values, then fails, and cancels the upstream") func fail() {
        let (history, probe) = fill(.fail(LawFailure(5)))
        #expect(history == [.upstream] + (1...5).map { .value($0) } + [.failure(LawFailure(5))])
        #expect(probe.history == [.attached, .requested(.unlimited), .cancelled])
    }

    @Test("S19 S21 suspend requests no more than fits") func suspend() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.buffer(size: 4, whenFull: .suspend).record(demand: .none)
        let sent = (1...10).prefix { probe.send($0) }
        #expect(sent.count == 4)
        recorder.request(.max(1))
        #expect(probe.outstanding() == .max(1))
        probe.send(5)
        recorder.request(.unlimited)
        probe.finish()
        #expect(recorder.values == [1, 2, 3, 4, 5] && recorder.isEnded)
    }

    @Test("S20 a value that does not fit goes to the discard hook") func discards() {
        let discards = Discards(of: Item.self)
        let probe = Probe<Item, LawFailure>()
        let recorder = probe.signal.buffer(size: 2, whenFull: .dropOldest).record(demand: .none)
        for number in 1...4 { probe.send(Item(number: number)) }
        #expect(discards.payloads.map(\.number) == [1, 2])
        #expect(discards.reasons == [.overflow, .overflow])
        recorder.cancel()
    }

    @Test func aSinkThatAsksFirstLosesNothing() {
        let recorder = Signal<Int, Never>.sequence(1...10).buffer(size: 1, whenFull: .dropOldest).record()
        #expect(recorder.values == Array(1...10))
    }
}
