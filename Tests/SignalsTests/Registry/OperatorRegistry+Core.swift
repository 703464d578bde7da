import Signals
import SignalsLaws
import SignalsTesting

extension OperatorRegistry {
    static let core: [RegisteredOperator] = stateless + stateful + ending + storing + switching

    private static let stateless = [
        RegisteredOperator("Map", expecting: { $0.values.map { $0.number * 2 } }) { upstream, _ in
            upstream.map { $0.number * 2 }
        },
        RegisteredOperator("CompactMap", expecting: { $0.values.filter { $0.number % 3 == 0 } }) { upstream, _ in
            upstream.compactMap { $0.number % 3 == 0 ? $0 : nil }
        },
        RegisteredOperator("Filter", expecting: { $0.values.filter { $0.number % 2 == 0 } }) { upstream, _ in
            upstream.filter { $0.number % 2 == 0 }
        },
        RegisteredOperator("HandleEvents", expecting: identity) { upstream, _ in
            upstream.handleEvents(
                onUpstream: {}, onRequest: { _ in }, onValue: { _ in }, onCompletion: { _ in }, onCancel: {})
        },
        RegisteredOperator("MapError", expecting: identity) { upstream, _ in
            upstream.mapError { LawFailure($0.code + 1) }
        },
        RegisteredOperator("SetFailureType", traits: .recovers, expecting: identity) { upstream, _ in
            upstream.catch { _ in Signal<LawValue, Never>.empty() }.setFailureType(to: LawFailure.self)
        },
    ]

    private static let stateful = [
        RegisteredOperator("Drop", expecting: { Array($0.values.dropFirst(3)) }) { upstream, _ in upstream.drop(3) },
        RegisteredOperator("RemoveDuplicates", expecting: { $0.values.filter { $0.number % 3 == 1 } }) { upstream, _ in
            upstream.removeDuplicates { ($0.number - 1) / 3 == ($1.number - 1) / 3 }
        },
        RegisteredOperator(
            "Pairwise", expecting: { input in zip(input.values, input.values.dropFirst()).map { [$0, $1] } }
        ) { upstream, _ in
            upstream.pairwise().map { [$0, $1] }
        },
        RegisteredOperator("Enumerated", expecting: { Array($0.values.indices) }) { upstream, _ in
            upstream.enumerated().map(\.offset)
        },
        RegisteredOperator(
            "Scan",
            expecting: { input in
                input.values.indices.map { index in input.values[...index].reduce(0) { $0 + $1.number } }
            }
        ) { upstream, _ in
            upstream.scan(0) { $0 + $1.number }
        },
    ]

    private static let ending = [
        RegisteredOperator("Prefix", traits: .endsEarly, expecting: { Array($0.values.prefix(4)) }) { upstream, _ in
            upstream.prefix(4)
        },
        RegisteredOperator("First", traits: .endsEarly, expecting: { Array($0.values.prefix(1)) }) { upstream, _ in
            upstream.first()
        },
        RegisteredOperator("First", "where", traits: .endsEarly, expecting: { Array($0.values.dropFirst(3).prefix(1)) })
        {
            upstream, _ in upstream.first { $0.number > 3 }
        },
        RegisteredOperator("Reduce", traits: .changesDemand, expecting: atFinish { $0.reduce(0) { $0 + $1.number } }) {
            upstream, _ in upstream.reduce(0) { $0 + $1.number }
        },
        RegisteredOperator("Reduce", "into", traits: .changesDemand, expecting: atFinish { Set($0) }) { upstream, _ in
            upstream.reduce(into: Set()) { $0.insert($1) }
        },
        RegisteredOperator("Collect", traits: .changesDemand, expecting: atFinish { $0 }) { upstream, _ in
            upstream.collect()
        },
    ]

    private static let storing = [
        RegisteredOperator("Buffer", "dropOldest", traits: [.changesDemand, .dropsValues], expecting: identity) {
            upstream, _ in upstream.buffer(size: 3, whenFull: .dropOldest)
        },
        RegisteredOperator("Buffer", "dropNewest", traits: [.changesDemand, .dropsValues], expecting: identity) {
            upstream, _ in upstream.buffer(size: 3, whenFull: .dropNewest)
        },
        RegisteredOperator("Buffer", "suspend", traits: .changesDemand, expecting: identity) { upstream, _ in
            upstream.buffer(size: 3, whenFull: .suspend)
        },
        RegisteredOperator("Prefetch", traits: .changesDemand, expecting: identity) { upstream, _ in
            upstream.prefetch(high: 8, low: 2)
        },
        RegisteredOperator("Conflate", traits: [.changesDemand, .dropsValues], expecting: identity) { upstream, _ in
            upstream.conflate()
        },
        RegisteredOperator("ReceiveOn", expecting: identity) { upstream, scheduler in
            upstream.receive(on: scheduler)
        },
        RegisteredOperator("ReceiveOn", "immediate", expecting: identity) { upstream, _ in
            upstream.receive(on: .immediate)
        },
    ]

    private static let switching = [
        RegisteredOperator("Catch", traits: .recovers, expecting: { $0.values + ($0.ending == .failed ? [99] : []) }) {
            upstream, _ in upstream.catch { _ in Signal<LawValue, Never>.just(99) }
        },
        RegisteredOperator(
            "ReplaceError", traits: .recovers, expecting: { $0.values + ($0.ending == .failed ? [99] : []) }
        ) { upstream, _ in
            upstream.replaceError(with: 99)
        },
        RegisteredOperator("SubscribeOn", expecting: identity) { upstream, scheduler in
            upstream.subscribe(on: scheduler)
        },
        RegisteredOperator("FlatMap", "just", traits: [.changesDemand, .failsFast], expecting: identity) {
            upstream, _ in
            upstream.flatMap { .just($0) }
        },
        RegisteredOperator(
            "FlatMap", "sequence", traits: [.changesDemand, .failsFast],
            expecting: { $0.values.flatMap { [$0.number, -$0.number] } }
        ) { upstream, _ in
            upstream.flatMap { .sequence([$0.number, -$0.number]) }
        },
        RegisteredOperator(
            "FlatMap", "one at a time", traits: [.changesDemand, .failsFast],
            expecting: { $0.values.flatMap { [$0.number, -$0.number] } }
        ) { upstream, _ in
            upstream.flatMap(maxConcurrent: .max(1)) { .sequence([$0.number, -$0.number]) }
        },
    ]
}
