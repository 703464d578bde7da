import Signals
import SignalsLaws
import SignalsTesting

extension OperatorRegistry {
    static let joining: [RegisteredOperator] = following + combining + sharing + timed

    private static let following = [
        RegisteredOperator("Append", expecting: { $0.values + ($0.isFinished ? [99] : []) }) { upstream, _ in
            upstream.append(99)
        },
        RegisteredOperator("Prepend", expecting: { [99] + $0.values }) { upstream, _ in upstream.prepend(99) },
        RegisteredOperator(
            "ReplaceEmpty", expecting: { $0.isFinished && $0.values.isEmpty ? [99] : $0.values }
        ) { upstream, _ in
            upstream.replaceEmpty(with: 99)
        },
        RegisteredOperator("Retry", traits: .reattaches, expecting: identity) { upstream, _ in upstream.retry(2) },
        RegisteredOperator("RetryWhen", "finishing", traits: [.reattaches, .recovers], expecting: identity) {
            upstream, _ in
            upstream.retry { $0.prefix(3) }
        },
        RegisteredOperator("RetryWhen", "failing", traits: .reattaches, expecting: identity) { upstream, _ in
            upstream.retry { failures in
                failures.tryMap { failure throws(LawFailure) in if failure.code > 1 { throw failure } }
            }
        },
        RegisteredOperator("RetryBackoff", traits: .reattaches, settling: .seconds(1), expecting: identity) {
            upstream, scheduler in
            upstream.retry(
                Backoff(attempts: 2, first: .milliseconds(100), jitter: 0), on: scheduler, resetsOnValue: false)
        },
    ]

    private static let combining = [
        RegisteredOperator("Merge", traits: [.changesDemand, .failsFast], expecting: identity) { upstream, _ in
            upstream.merge(with: .empty())
        },
        RegisteredOperator(
            "ConcatMap", traits: [.changesDemand, .failsFast],
            expecting: { $0.values.flatMap { [$0.number, -$0.number] } }
        ) { upstream, _ in
            upstream.concatMap { .sequence([$0.number, -$0.number]) }
        },
        RegisteredOperator(
            "CombineLatest", traits: [.changesDemand, .dropsValues, .failsFast],
            expecting: { $0.values.map { [$0, 7] } }
        ) { upstream, _ in
            upstream.combineLatest(Signal<LawValue, LawFailure>.just(7)).map { [$0, $1] }
        },
        RegisteredOperator(
            "Zip", traits: [.changesDemand, .failsFast], expecting: { $0.values.map { [$0.number, $0.number + 10] } }
        ) { upstream, _ in
            upstream.zip(Signal<Int, LawFailure>.sequence(11...)).map { [$0.number, $1] }
        },
        RegisteredOperator(
            "WithLatest", traits: [.changesDemand, .failsFast], expecting: { $0.values.map { [$0, 7] } }
        ) { upstream, _ in
            upstream.withLatest(from: Signal<LawValue, LawFailure>.just(7)).map { [$0, $1] }
        },
        RegisteredOperator(
            "Zip", "array", traits: [.changesDemand, .failsFast], expecting: { $0.values.map { [$0, $0] } }
        ) { upstream, _ in
            Signal.zip([upstream, .sequence((1...).lazy.map { LawValue($0) })])
        },
        RegisteredOperator(
            "CombineLatest", "array", traits: [.changesDemand, .dropsValues, .failsFast],
            expecting: { $0.values.map { [7, $0] } }
        ) { upstream, _ in
            Signal.combineLatest([.just(7), upstream])
        },
        RegisteredOperator(
            "Sample", traits: [.changesDemand, .dropsValues, .failsFast],
            expecting: { $0.isFinished ? $0.values.suffix(1) : [] }
        ) { upstream, _ in
            upstream.sample(by: Signal<Int, LawFailure>.never())
        },
        RegisteredOperator("Repeat", expecting: identity) { upstream, _ in upstream.repeat(1) },
        RegisteredOperator("Race", expecting: identity) { upstream, _ in upstream.race(with: .never()) },
        RegisteredOperator(
            "SwitchToLatest", traits: [.changesDemand, .dropsValues, .failsFast], expecting: identity
        ) { upstream, _ in
            upstream.map { .just($0) }.switchToLatest()
        },
        RegisteredOperator(
            "FlatMapLatest", traits: [.changesDemand, .dropsValues, .failsFast], expecting: identity
        ) { upstream, _ in
            upstream.flatMapLatest { .just($0) }
        },
        RegisteredOperator(
            "FlatMapFirst", traits: [.changesDemand, .dropsValues, .failsFast], expecting: identity
        ) { upstream, _ in
            upstream.flatMapFirst { .just($0) }
        },
    ]

    private static let sharing = [
        RegisteredOperator("Cache", traits: [.changesDemand, .isShared, .isKept], expecting: identity) { upstream, _ in
            upstream.cache()
        },
        RegisteredOperator("Share", traits: [.changesDemand, .dropsValues, .isShared], expecting: identity) {
            upstream, _ in
            upstream.share()
        },
        RegisteredOperator("ShareReplay", traits: [.changesDemand, .dropsValues, .isShared], expecting: identity) {
            upstream, _ in
            upstream.share(replay: 2)
        },
        RegisteredOperator(
            "ShareReplay", "linger", traits: [.changesDemand, .dropsValues, .isShared, .lingers], settling: .seconds(2),
            expecting: identity
        ) { upstream, scheduler in
            upstream.share(replay: 2, linger: .seconds(1), on: scheduler)
        },
        RegisteredOperator("Multicast", traits: [.changesDemand, .dropsValues, .isShared], expecting: identity) {
            upstream, _ in
            upstream.multicast().autoconnect()
        },
    ]

    /// Where an operator waits, it settles for longer, so that every value has passed before the next one arrives.
    private static let timed = [
        RegisteredOperator(
            "Debounce", traits: [.changesDemand, .dropsValues, .isTimed], settling: .seconds(2), expecting: identity
        ) { upstream, scheduler in
            upstream.debounce(for: .seconds(1), on: scheduler)
        },
        RegisteredOperator(
            "Throttle", traits: [.changesDemand, .dropsValues, .isTimed], settling: .seconds(2), expecting: identity
        ) { upstream, scheduler in
            upstream.throttle(for: .seconds(1), on: scheduler, latest: true)
        },
        RegisteredOperator(
            "SampleByTime", traits: [.changesDemand, .dropsValues, .isTimed], settling: .seconds(2), expecting: identity
        ) { upstream, scheduler in
            upstream.sample(every: .seconds(1), on: scheduler)
        },
        RegisteredOperator("Delay", settling: .seconds(2), expecting: identity) { upstream, scheduler in
            upstream.delay(for: .seconds(1), on: scheduler)
        },
        RegisteredOperator("Timeout", expecting: identity) { upstream, scheduler in
            upstream.timeout(after: .seconds(1), on: scheduler)
        },
        // A batch grows while its sink is behind, so the running totals are compared instead.
        RegisteredOperator(
            "CollectByTime", traits: [.changesDemand, .dropsValues, .isTimed], settling: .seconds(2),
            expecting: { input in input.values.indices.map { $0 + 1 } }
        ) { upstream, scheduler in
            upstream.collect(every: .seconds(1), on: scheduler).scan(0) { $0 + $1.count }
        },
    ]
}
