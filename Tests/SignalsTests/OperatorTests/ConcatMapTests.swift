import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct ConcatMapTests {
    @Test("S8 one inner signal after another, whichever is ready first") func order() {
        let inner = (0..<3).map { _ in Probe<Int, LawFailure>() }
        let recorder = Signal<Int, LawFailure>.sequence(0..<3).concatMap { inner[$0].signal }.record()
        #expect(inner.map(\.attachCount) == [1, 0, 0])
        inner[0].send(1)
        inner[0].finish()
        #expect(inner.map(\.attachCount) == [1, 1, 0])
        inner[1].finish()
        inner[2].send(3)
        inner[2].finish()
        #expect(recorder.history == [.upstream, .value(1), .value(3), .finished])
    }

    @Test func mayFailWhereItsUpstreamCannot() {
        let signal = Signal<Int, Never>.just(1).concatMap { _ in Signal<Int, LawFailure>.fail(LawFailure()) }
        #expect(signal.record().history == [.upstream, .failure(LawFailure())])
    }

    private static let inner: [@Sendable (Int) -> Signal<Int, LawFailure>] = [
        { .just($0) }, { .sequence([$0]) }, { .sequence([$0, $0, $0]) },
        { Bool.random() ? .just($0) : .sequence([$0, $0]) }, { $0.isMultiple(of: 2) ? .empty() : .just($0) },
    ]

    /// The numbers end only so that an implementation without a bound returns.
    @Test("S19 an inner signal occupies its slot until its values are delivered", arguments: inner.indices, [1, 3])
    func slots(_ index: Int, maxConcurrent: Int) {
        let made = Count()
        let numbers = Signal<Int, LawFailure>.unfold(0) { _ in made.value < 10_000 ? made.raise() : nil }
        let recorder = numbers.flatMap(maxConcurrent: .max(maxConcurrent), Self.inner[index]).record(demand: .max(1))
        for asked in 1...20 {
            #expect(recorder.values.count == asked && recorder.values == recorder.values.sorted())
            // An empty inner signal frees its slot at once.
            let bound = index == 4 ? 2 * (asked + maxConcurrent) : asked + maxConcurrent
            #expect(made.value <= bound, "\(asked) values were requested.")
            recorder.request(.max(1))
        }
        recorder.cancel()
        report(recorder.breaches)
    }
}
