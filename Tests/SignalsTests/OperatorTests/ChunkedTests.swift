import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct ChunkedTests {
    @Test(arguments: [[], [1], [1, 2], [2, 1], [1, 2, 2, 1, 5, 4, 4, 4, 3], Array(1...1_000)])
    func neighboursThatBelongTogether(_ values: [Int]) {
        let model = values.reduce(into: [[Int]]()) { chunks, value in
            if let last = chunks.last?.last, last <= value {
                chunks[chunks.count - 1].append(value)
            } else {
                chunks.append([value])
            }
        }
        let signal = Signal<Int, Never>.sequence(values).chunked(by: <=)
        for _ in 0..<2 { #expect(signal.record().values == model) }
        // The same chunks, requested one after another.
        let recorder = signal.record(demand: .max(1), perValue: .max(1))
        #expect(recorder.values == model && recorder.isEnded)
        report(recorder.breaches)
    }

    @Test("S17 a value that completes no chunk requests another; a chunk is delivered once its end is known")
    func demand() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.chunked(by: ==).record(demand: .max(1))
        for number in [7, 7, 7] { #expect(probe.send(number)) }
        #expect(recorder.values.isEmpty)
        #expect(probe.send(8))
        #expect(recorder.values == [[7, 7, 7]] && !probe.send(8), "Only one was requested.")
        probe.finish()
        #expect(!recorder.isEnded, "The rest waits until it is requested.")
        recorder.request(.max(1))
        #expect(recorder.values == [[7, 7, 7], [8]] && recorder.isEnded)
    }

    @Test("S12 a failure is delivered at once, and the dropped values are reported") func failure() {
        struct Item: Sendable, Equatable { let number: Int }
        let discards = Discards(of: Item.self)
        let recorder = Signal<Item, LawFailure>.just(Item(number: 1)).append(.fail(LawFailure()))
            .chunked(by: ==).record()
        #expect(recorder.history == [.upstream, .failure(LawFailure())])
        #expect(discards.payloads == [Item(number: 1)] && discards.stages == ["chunked"])
    }

    @Test("S13 the key is computed once for each value") func key() {
        let calls = Count()
        let recorder = Signal<String, Never>.sequence(["ab", "ac", "b", "a"]).chunked { word in
            calls.raise()
            return word.first
        }.record()
        #expect(recorder.values.map(\.key) == ["a", "b", "a"] && calls.value == 4)
        #expect(recorder.values.map(\.values) == [["ab", "ac"], ["b"], ["a"]])
    }
}
