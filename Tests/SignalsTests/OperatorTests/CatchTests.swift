import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct CatchTests {
    @Test("S18 outstanding demand is requested from the fallback") func handover() {
        report(Laws.verifyHandover(at: .failed) { first, second in first.catch { _ in second } })
    }

    @Test func theFallbackDependsOnTheFailure() {
        let signal = Signal<Int, LawFailure>.just(1).append(.fail(LawFailure(40)))
            .catch { Signal<Int, Never>.just($0.code + 2) }
        #expect(signal.record().history == [.upstream, .value(1), .value(42), .finished])
    }

    @Test func theFallbackMayFailInAnotherWay() {
        struct Other: Error, Equatable {}
        let signal = Signal<Int, LawFailure>.fail(LawFailure()).catch { _ in Signal<Int, Other>.fail(Other()) }
        #expect(signal.record().history == [.upstream, .failure(Other())])
    }

    @Test("S13 a finish calls no closure") func finish() {
        let calls = Count()
        let signal = Signal<Int, LawFailure>.just(1).catch { _ in
            calls.raise(); return Signal<Int, Never>.empty()
        }
        #expect(signal.record().values == [1])
        #expect(calls.value == 0)
    }
}

@Suite struct TryCatchTests {
    @Test("S18 outstanding demand is requested from the fallback") func handover() {
        report(
            Laws.verifyHandover(at: .failed) { first, second in
                first.tryCatch { _ throws(LawFailure) in second }
            })
    }

    @Test func theFallbackDependsOnTheFailure() {
        let signal = Signal<Int, LawFailure>.just(1).append(.fail(LawFailure(40)))
            .tryCatch { failure throws(LawFailure) in .just(failure.code + 2) }
        #expect(signal.record().history == [.upstream, .value(1), .value(42), .finished])
    }

    @Test("S10 an error thrown by the closure fails the signal") func fails() {
        let signal = Signal<Int, LawFailure>.just(1).append(.fail(LawFailure(4)))
            .tryCatch { failure throws(LawFailure) in throw LawFailure(failure.code + 1) }
        for _ in 1...2 { #expect(signal.record().history == [.upstream, .value(1), .failure(LawFailure(5))]) }
    }

    @Test func whatIsThrownMayBeOfAnotherType() {
        struct Other: Error, Equatable { let code: Int }
        let signal = Signal<Int, LawFailure>.fail(LawFailure(6)).tryCatch { failure throws(Other) in
            if failure.code == 6 { throw Other(code: 7) }
            return .just(1)
        }
        #expect(signal.record().history == [.upstream, .failure(Other(code: 7))])
    }

    @Test("S13 a finish calls no closure") func finish() {
        let calls = Count()
        let signal = Signal<Int, LawFailure>.just(1).tryCatch { failure throws(LawFailure) in
            calls.raise()
            throw failure
        }
        #expect(signal.record().history == [.upstream, .value(1), .finished])
        #expect(calls.value == 0)
    }
}
