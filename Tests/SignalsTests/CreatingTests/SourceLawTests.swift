import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite("Every source keeps the contract", .timeLimit(.minutes(5)))
struct SourceLawTests {
    /// A sequence that does not know its length.
    private struct Countdown: Sequence, IteratorProtocol, Sendable {
        var left: Int

        mutating func next() -> Int? {
            defer { left -= 1 }
            return left > 0 ? left : nil
        }
    }

    @Test("S1 S3 S10 S29 S34 just") func just() {
        report(Laws.verifySource(expecting: [42]) { _ in Signal<Int, Never>.just(42) })
    }

    @Test("S1 S5 S11 empty, fail and never") func endings() {
        report(Laws.verifySource(expecting: []) { _ in Signal<Int, Never>.empty() })
        report(
            Laws.verifySource(expecting: [], ending: .failed) { _ in Signal<Int, LawFailure>.fail(LawFailure()) })
        report(Laws.verifySource(expecting: [], ending: .open) { _ in Signal<Int, Never>.never() })
    }

    @Test("S1 S3 S5 S10 S11 S29 result and optional") func resultAndOptional() {
        report(Laws.verifySource(expecting: [42]) { _ in Signal<Int, LawFailure>.result(.success(42)) })
        report(
            Laws.verifySource(expecting: [], ending: .failed) { _ in
                Signal<Int, LawFailure>.result(.failure(LawFailure()))
            })
        report(Laws.verifySource(expecting: [42]) { _ in Signal<Int, Never>.optional(42) })
        report(Laws.verifySource(expecting: []) { _ in Signal<Int, Never>.optional(nil) })
    }

    @Test("S3 S14 S15 S16 S24 S27 sequence") func sequence() {
        report(Laws.verifySource(expecting: Array(1...7)) { _ in Signal<Int, Never>.sequence(1...7) })
        report(Laws.verifySource(expecting: []) { _ in Signal<Int, Never>.sequence([]) })
        report(Laws.verifySource(expecting: [2, 1]) { _ in Signal<Int, Never>.sequence(Countdown(left: 2)) })
        report(Laws.verifySource(expecting: []) { _ in Signal<Int, Never>.sequence(Countdown(left: 0)) })
    }

    @Test("S2 S3 S14 S15 S16 S24 S27 a lazy sequence, and one that a closure makes") func lazySequence() {
        report(
            Laws.verifySource(expecting: [2, 4, 6]) { _ in
                Signal<Int, Never>.sequence((1...3).lazy.map { $0 * 2 })
            })
        report(
            Laws.verifySource(expecting: [1]) { _ in
                Signal<Int, Never>.sequence { [3, 1].lazy.filter { $0 < 2 } }
            })
        report(Laws.verifySource(expecting: []) { _ in Signal<Int, Never>.sequence { (1...3).lazy.drop { $0 < 9 } } })
    }

    @Test("S3 S14 S24 S27 unfold") func unfold() {
        report(
            Laws.verifySource(expecting: [1, 2, 4, 8], endsWhenAsked: true) { _ in
                Signal<Int, Never>.unfold(1) { state in
                    defer { state *= 2 }
                    return state < 10 ? state : nil
                }
            })
        report(
            Laws.verifySource(expecting: [1, 2], ending: .failed, endsWhenAsked: true) { _ in
                Signal<Int, LawFailure>.unfold(1) { (state) throws(LawFailure) in
                    if state == 3 { throw LawFailure() }
                    defer { state += 1 }
                    return state
                }
            })
    }

    @Test("S2 deferred and using") func deferred() {
        report(Laws.verifySource(expecting: [1, 2]) { _ in Signal<Int, Never>.deferred { .sequence(1...2) } })
        report(
            Laws.verifySource(expecting: [1, 2]) { _ in
                Signal<Int, Never>.using(acquire: { 2 }, release: { _ in }, signal: { .sequence(1...$0) })
            })
    }

    @Test("S6 S14 S23 create") func create() {
        report(
            Laws.verifySource(expecting: [1, 2, 3]) { _ in
                Signal<Int, Never>.create(bufferSize: 3) { emitter in
                    for number in 1...3 { emitter.send(number) }
                    emitter.finish()
                    return {}
                }
            })
    }

    @Test("S1 S3 S5 S6 S14 S36 a timer") func timer() {
        report(
            Laws.verifySource(expecting: [1], settling: .seconds(2)) { scheduler in
                Signal<Void, Never>.timer(.seconds(1), on: scheduler).map { 1 }
            })
    }

    @Test("S1 S14 S29 a hand-written source behind the fence") func custom() {
        report(
            Laws.verifySource(expecting: [1, 2, 3], endsWhenAsked: true) { _ in
                Signal<Int, Never> { sink in
                    let left = Lock(1)
                    sink.receive(
                        upstream: Upstream(
                            request: { asked in
                                var more = asked
                                while more > .none {
                                    let next = left.withLock { value in
                                        defer { value += 1 }
                                        return value
                                    }
                                    if next > 3 { return sink.receive(completion: .finished) }
                                    more = (more.limit.map { .max($0 - 1) } ?? more) + sink.receive(next)
                                }
                            }, cancel: {}))
                }
            })
    }
}
