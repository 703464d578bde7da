import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct PrintTests {
    @Test func writesALineForEachEvent() {
        let lines = Lock<[String]>([])
        let write: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
        _ = Signal<Int, LawFailure>.just(1).append(.fail(LawFailure(2))).print("one", to: write).record(demand: .max(2))
        #expect(
            lines.withLock { $0 } == [
                "one: upstream", "one: request 2", "one: value 1", "one: failure LawFailure(code: 2)",
            ])
        lines.withLock { $0 = [] }
        Signal<Int, Never>.never().print(to: write).record(demand: .none).cancel()
        _ = Signal<Int, Never>.empty().print(to: write).record(demand: .none)
        #expect(
            lines.withLock { $0 } == ["signal: upstream", "signal: cancel", "signal: upstream", "signal: finished"])
    }

    @Test("S17 demand that a sink returns for a value is printed after it") func returned() {
        let lines = Lock<[String]>([])
        _ = Signal<Int, LawFailure>.sequence(1...2).print("two", to: { line in lines.withLock { $0.append(line) } })
            .record(demand: .max(1), perValue: .max(1))
        #expect(
            lines.withLock { $0 } == [
                "two: upstream", "two: request 1", "two: value 1", "two: request 1", "two: value 2", "two: request 1",
                "two: finished",
            ])
    }
}
