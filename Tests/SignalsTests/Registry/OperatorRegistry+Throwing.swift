import Signals
import SignalsLaws
import SignalsTesting

extension OperatorRegistry {
    static let throwing: [RegisteredOperator] = transforming + limiting + ending + folding + recovering

    private typealias Trip = @Sendable (LawValue) throws(LawFailure) -> LawValue

    /// Registers an operator twice: with a closure that never throws, and with one that throws at the value 3.
    ///
    /// The thrown error becomes a finish, because the laws expect no failure but the upstream's. The operator's own
    /// tests check that it fails the signal.
    private static func both<Output: Sendable & Equatable>(
        _ file: String, _ form: String = "", traits: Laws.Traits = [],
        expecting model: @escaping @Sendable (LawInput) -> [Output],
        _ make: @escaping @Sendable (Signal<LawValue, LawFailure>, @escaping Trip) -> Signal<Output, LawFailure>
    ) -> [RegisteredOperator] {
        let sound = RegisteredOperator(file, form, traits: traits, expecting: model) { upstream, _ in
            make(upstream, { $0 })
        }
        let tripping = RegisteredOperator(
            file, form + " throwing", traits: traits.union([.endsEarly, .recovers]),
            expecting: { input in
                let reached = Array(input.values.prefix { $0 != 3 })
                return model(reached == input.values ? input : LawInput(reached, .failed))
            }
        ) { upstream, _ in
            make(
                upstream,
                { value throws(LawFailure) in
                    if value == 3 { throw LawFailure(3) }
                    return value
                }
            ).catch { _ in Signal<Output, Never>.empty() }
        }
        return [sound, tripping]
    }

    private static let transforming =
        both("TryMap", expecting: { $0.values.map { $0.number * 2 } }) { upstream, trip in
            upstream.tryMap { value throws(LawFailure) in try trip(value).number * 2 }
        }
        + both("TryCompactMap", expecting: { $0.values.filter { $0.number % 2 == 0 } }) { upstream, trip in
            upstream.tryCompactMap { value throws(LawFailure) in try trip(value).number % 2 == 0 ? value : nil }
        }
        + both("TryFilter", expecting: { $0.values.filter { $0.number % 2 == 0 } }) { upstream, trip in
            upstream.tryFilter { value throws(LawFailure) in try trip(value).number % 2 == 0 }
        }
        + both(
            "TryScan",
            expecting: { input in
                input.values.indices.map { index in input.values[...index].reduce(0) { $0 + $1.number } }
            }
        ) { upstream, trip in
            upstream.tryScan(0) { sum, value throws(LawFailure) in try sum + trip(value).number }
        }
        + both("TryRemoveDuplicates", expecting: { $0.values.filter { $0.number % 3 == 1 } }) { upstream, trip in
            upstream.tryRemoveDuplicates { last, value throws(LawFailure) in
                try (trip(value).number - 1) / 3 == (last.number - 1) / 3
            }
        }

    private static let limiting =
        both("TryDropWhile", expecting: { Array($0.values.dropFirst(3)) }) { upstream, trip in
            upstream.tryDrop(while: { value throws(LawFailure) in try trip(value).number < 4 })
        }
        + both("TryPrefixWhile", traits: .endsEarly, expecting: { Array($0.values.prefix(4)) }) { upstream, trip in
            upstream.tryPrefix(while: { value throws(LawFailure) in try trip(value).number < 5 })
        }

    private static let ending =
        both("TryFirst", traits: .endsEarly, expecting: { Array($0.values.dropFirst(4).prefix(1)) }) { upstream, trip in
            upstream.tryFirst(where: { value throws(LawFailure) in try trip(value).number > 4 })
        }
        + both("TryContains", traits: [.changesDemand, .endsEarly], expecting: { answer($0, about: 5) }) {
            upstream, trip in
            upstream.tryContains(where: { value throws(LawFailure) in try trip(value).number == 5 })
        }
        + both(
            "TryAllSatisfy", traits: [.changesDemand, .endsEarly], expecting: { answer($0, about: 5).map { !$0 } }
        ) { upstream, trip in
            upstream.tryAllSatisfy { value throws(LawFailure) in try trip(value).number != 5 }
        }

    private static let folding =
        both("TryLast", traits: .changesDemand, expecting: atFinish { $0.last { $0.number < 4 } }) { upstream, trip in
            upstream.tryLast(where: { value throws(LawFailure) in try trip(value).number < 4 })
        }
        + both("TryMax", traits: .changesDemand, expecting: atFinish { $0.max() }) { upstream, trip in
            upstream.tryMax { left, right throws(LawFailure) in try trip(left) < trip(right) }
        }
        + both("TryMin", traits: .changesDemand, expecting: atFinish { $0.min() }) { upstream, trip in
            upstream.tryMin { left, right throws(LawFailure) in try trip(left) < trip(right) }
        }
        + both(
            "TryReduce", traits: .changesDemand, expecting: atFinish { $0.reduce(0) { $0 + $1.number } }
        ) { upstream, trip in
            upstream.tryReduce(0) { sum, value throws(LawFailure) in try sum + trip(value).number }
        }
        + both("TryReduce", "into", traits: .changesDemand, expecting: atFinish { Set($0) }) { upstream, trip in
            upstream.tryReduce(into: Set()) { set, value throws(LawFailure) in set.insert(try trip(value)) }
        }

    private static let recovering = [
        RegisteredOperator(
            "TryCatch", traits: .recovers, expecting: { $0.values + ($0.ending == .failed ? [99] : []) }
        ) { upstream, _ in
            upstream.tryCatch { _ throws(LawFailure) in .just(99) }
        },
        RegisteredOperator("TryCatch", "throwing", expecting: identity) { upstream, _ in
            upstream.tryCatch { failure throws(LawFailure) in throw LawFailure(failure.code + 1) }
        },
    ]
}
