@testable import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct CannotFailInnerTests {
    @Test func anInnerSignalOfEachOperator() {
        expectAlike(
            { failing, calm in failing.flatMap { _ in calm } }, { failing, other in failing.flatMap { _ in other } })
        expectAlike(
            { failing, calm in failing.concatMap { _ in calm } }, { failing, other in failing.concatMap { _ in other } }
        )
        expectAlike(
            { failing, calm in failing.flatMapLatest { _ in calm } },
            { failing, other in failing.flatMapLatest { _ in other } })
    }

    @Test func theLatestSignal() {
        expectAlike(
            { failing, calm in failing.map { _ in calm }.switchToLatest() },
            { failing, other in failing.map { _ in other }.switchToLatest() })
        expectAlike(
            { failing, calm in calm.map { _ in failing }.switchToLatest() },
            { failing, other in other.map { _ in failing }.switchToLatest() })
    }

    @Test func aSignalThatIsKnownToBeOneValueStaysSo() {
        let inner = Signal<Int, Never>.just(1).setFailureType(to: LawFailure.self)
        #expect(inner.single == 1 && inner.record().values == [1])
    }

    @Test func oneThatFitsBothFormsTakesThePlainOne() {
        let signal = Signal<Int, LawFailure>.sequence(1...2).flatMap { .just($0 * 2) }.concatMap {
            .sequence([$0, $0])
        }
        #expect(signal.record().values == [2, 2, 4, 4])
        let calm: Signal<Int, Never> = Signal<Int, Never>.sequence(1...2).flatMap { value in
            Signal<Int, Never>.just(value)
        }
        #expect(calm.record().values == [1, 2])
    }
}
