import Signals
import SignalsLaws
import SignalsTesting

extension OperatorRegistry {
    static let gathering: [RegisteredOperator] = folding + choosing + grouping

    private static let folding = [
        RegisteredOperator("Count", traits: .changesDemand, expecting: atFinish(\.count)) { upstream, _ in
            upstream.count()
        },
        RegisteredOperator("Last", traits: .changesDemand, expecting: atFinish(\.last)) { upstream, _ in
            upstream.last()
        },
        RegisteredOperator(
            "Last", "where", traits: .changesDemand, expecting: atFinish { $0.last { $0.number < 4 } }
        ) { upstream, _ in
            upstream.last { $0.number < 4 }
        },
        RegisteredOperator("Max", traits: .changesDemand, expecting: atFinish { $0.max() }) { upstream, _ in
            upstream.max()
        },
        RegisteredOperator("Min", traits: .changesDemand, expecting: atFinish { $0.min() }) { upstream, _ in
            upstream.min()
        },
        RegisteredOperator("Contains", traits: [.changesDemand, .endsEarly], expecting: { answer($0, about: 5) }) {
            upstream, _ in
            upstream.contains(5)
        },
        RegisteredOperator(
            "AllSatisfy", traits: [.changesDemand, .endsEarly], expecting: { answer($0, about: 5).map { !$0 } }
        ) { upstream, _ in
            upstream.allSatisfy { $0 != 5 }
        },
    ]

    /// Returns whether an input contains a value: true once the value has arrived, false at the finish, nothing before.
    static func answer(_ input: LawInput, about value: LawValue) -> [Bool] {
        input.values.contains(value) ? [true] : input.isFinished ? [false] : []
    }

    private static let choosing = [
        RegisteredOperator("DropWhile", expecting: { Array($0.values.dropFirst(2)) }) { upstream, _ in
            upstream.drop { $0.number < 3 }
        },
        RegisteredOperator("PrefixWhile", traits: .endsEarly, expecting: { Array($0.values.prefix(4)) }) {
            upstream, _ in
            upstream.prefix { $0.number < 5 }
        },
        RegisteredOperator("DropUntil", expecting: identity) { upstream, _ in upstream.drop(until: .just(0)) },
        RegisteredOperator("PrefixUntil", expecting: identity) { upstream, _ in
            upstream.prefix(until: Signal<Int, LawFailure>.never())
        },
        RegisteredOperator("Output", traits: .endsEarly, expecting: { Array($0.values.dropFirst(1).prefix(3)) }) {
            upstream, _ in
            upstream.output(in: 1..<4)
        },
        RegisteredOperator("Output", "at", traits: .endsEarly, expecting: { Array($0.values.dropFirst(2).prefix(1)) }) {
            upstream, _ in
            upstream.output(at: 2)
        },
        RegisteredOperator("IgnoreValues", expecting: { _ in [LawValue]() }) { upstream, _ in
            upstream.ignoreValues()
        },
        RegisteredOperator("ReplaceNil", expecting: { $0.values.map { $0.number % 2 == 0 ? $0 : 0 } }) { upstream, _ in
            upstream.map { $0.number % 2 == 0 ? Optional($0) : nil }.replaceNil(with: 0)
        },
    ]

    private static let grouping = [
        RegisteredOperator(
            "CollectByCount", traits: .changesDemand,
            expecting: { input in
                let groups = stride(from: 0, to: input.values.count, by: 3).map { start in
                    Array(input.values[start..<min(start + 3, input.values.count)])
                }
                return input.isFinished ? groups : groups.filter { $0.count == 3 }
            }
        ) { upstream, _ in
            upstream.collect(3)
        },
        RegisteredOperator(
            "Chunked", traits: .changesDemand,
            expecting: { input in
                let chunks = input.values.reduce(into: [[LawValue]]()) { chunks, value in
                    if let last = chunks.last?.last, last.number / 3 == value.number / 3 {
                        chunks[chunks.count - 1].append(value)
                    } else {
                        chunks.append([value])
                    }
                }
                return input.isFinished ? chunks : chunks.dropLast()
            }
        ) { upstream, _ in
            upstream.chunked { $0.number / 3 == $1.number / 3 }
        },
        RegisteredOperator(
            "Suffix", traits: .changesDemand, expecting: { $0.isFinished ? Array($0.values.suffix(3)) : [] }
        ) { upstream, _ in
            upstream.suffix(3)
        },
        RegisteredOperator(
            "Materialize", traits: .recovers,
            expecting: { input in
                let values = input.values.map { SignalEvent<LawValue, LawFailure>.value($0) }
                switch input.ending {
                case .open: return values
                case .finished: return values + [.completion(.finished)]
                case .failed: return values + [.completion(.failure(LawFailure()))]
                }
            }
        ) { upstream, _ in
            upstream.materialize()
        },
        RegisteredOperator("Materialize", "and back", traits: .endsOnDemand, expecting: identity) { upstream, _ in
            upstream.materialize().dematerialize()
        },
        RegisteredOperator("AssertNoFailure", traits: .recovers, expecting: identity) { upstream, _ in
            upstream.catch { _ in Signal<LawValue, LawFailure>.empty() }.assertNoFailure()
        },
        RegisteredOperator("Print", expecting: identity) { upstream, _ in upstream.print("law") { _ in } },
        RegisteredOperator("MeasureInterval", expecting: { $0.values.map { _ in Duration.zero } }) {
            upstream, scheduler in
            upstream.measureInterval(on: scheduler)
        },
    ]
}
