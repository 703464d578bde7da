import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct CannotFailFollowingTests {
    @Test func oneAfterAnother() {
        expectAlike({ $0.append($1) }, { $0.append($1) })
        expectAlike({ $1.append($0) }, { $1.append($0) })
        expectAlike({ $0.prepend($1) }, { $0.prepend($1) })
        expectAlike({ $1.prepend($0) }, { $1.prepend($0) })
    }

    @Test func whatOpensAndCloses() {
        expectAlike({ $0.prefix(until: $1.drop(1)) }, { $0.prefix(until: $1.drop(1)) })
        expectAlike({ $1.prefix(until: $0.drop(1)) }, { $1.prefix(until: $0.drop(1)) })
        expectAlike({ $0.drop(until: $1.drop(1)) }, { $0.drop(until: $1.drop(1)) })
        expectAlike({ $1.drop(until: $0.drop(1)) }, { $1.drop(until: $0.drop(1)) })
    }

    @Test func aRecoveryThatCannotFailMakesASignalThatCannot() {
        let source = Signal<Int, LawFailure>.fail(LawFailure(3))
        let calm = source.catch { .just($0.code) }
        let token = calm.sink { #expect($0 == 3) }
        #expect(token.isEnded && calm.record().history == [.upstream, .value(3), .finished])
    }

    @Test func aRecoveryThatMayFailKeepsItsFailure() {
        struct Other: Error, Equatable {}
        let source = Signal<Int, LawFailure>.fail(LawFailure())
        #expect(source.catch { _ in .fail(Other()) }.record().history == [.upstream, .failure(Other())])
        let wanted: Signal<Int, Other> = source.catch { _ in .just(4) }
        #expect(wanted.record().history == [.upstream, .value(4), .finished])
    }

    @Test func aFailureIsWrittenWhereTheUpstreamHasNone() {
        let signal = Signal<Int, Never>.just(1).append(.fail(LawFailure(2)))
        #expect(signal.record().history == [.upstream, .value(1), .failure(LawFailure(2))])
    }

    @Test func sample() {
        expectAlike({ $0.sample(by: $1) }, { $0.sample(by: $1) })
        expectAlike({ $1.sample(by: $0) }, { $1.sample(by: $0) })
    }
}
