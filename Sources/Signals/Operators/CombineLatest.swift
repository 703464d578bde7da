extension Signal {
    /// Returns a signal that delivers the latest values of signals of any types whenever one of them delivers.
    ///
    /// ```swift
    /// let name = CurrentValue<String, Never>("a"), size = CurrentValue<Int, Never>(1)
    /// let token = Signal.combineLatest(name.signal, size.signal).sink { print($0) }  // ("a", 1)
    /// size.send(2)  // ("a", 2)
    /// ```
    ///
    /// - Delivery: nothing until each input has delivered a value, then the latest values at each change. The signal
    ///   holds one value of each input, so several changes without demand are delivered as one. It finishes when all
    ///   inputs have finished, or when an input finishes without a value.
    /// - Failure: the first failure, which cancels all other inputs.
    @inlinable
    public static func combineLatest<First: Sendable, Second: Sendable, Third: Sendable, each Other: Sendable>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>, _ third: Signal<Third, Failure>,
        _ others: repeat Signal<each Other, Failure>
    ) -> Signal where Value == (First, Second, Third, repeat each Other) {
        .woven(first, second, third, repeat each others, queueBound: nil, stage: "combineLatest")
    }

    /// Returns the same tuples as the other overloads, for a call on a type whose `Value` is already fixed, such as an
    /// alias of `Signal<Int, Never>`.
    ///
    /// - Delivery: the same as for the other overloads.
    /// - Failure: the first failure, which cancels all other inputs.
    @inlinable @_disfavoredOverload
    public static func combineLatest<First: Sendable, Second: Sendable, each Other: Sendable>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>,
        _ others: repeat Signal<each Other, Failure>
    ) -> Signal<(First, Second, repeat each Other), Failure> {
        .woven(first, second, repeat each others, queueBound: nil, stage: "combineLatest")
    }

    /// Returns a signal that delivers the latest values of two signals whenever one of them delivers.
    ///
    /// - Delivery: the same as for any number of signals, at a fraction of the cost.
    /// - Failure: the first failure, which cancels the other input.
    @inlinable
    public static func combineLatest<First: Sendable, Second: Sendable>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>
    ) -> Signal where Value == (First, Second) {
        .woven(first, bound: nil, second, bound: nil, stage: "combineLatest")
    }

    /// Returns a signal that delivers the latest values of three signals whenever one of them delivers.
    ///
    /// - Delivery: the same as for any number of signals, at a fraction of the cost.
    /// - Failure: the first failure, which cancels the other inputs.
    @inlinable
    public static func combineLatest<First: Sendable, Second: Sendable, Third: Sendable>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>, _ third: Signal<Third, Failure>
    ) -> Signal where Value == (First, Second, Third) {
        .woven(first, second, third, bound: nil, stage: "combineLatest")
    }

    /// Returns a signal that delivers an array of the latest values of many signals whenever one of them delivers.
    ///
    /// ```swift
    /// let switches = [CurrentValue<Bool, Never>(true), CurrentValue<Bool, Never>(false)]
    /// let areAllOn = Signal.combineLatest(switches.map(\.signal)).map { $0.allSatisfy { $0 } }
    /// let token = areAllOn.sink { print($0) }  // false
    /// ```
    ///
    /// - Delivery: the same as for separate arguments. Without any inputs, the signal finishes at once.
    /// - Failure: the first failure, which cancels all other inputs.
    /// - Complexity: O(n) per value in the number of signals.
    @inlinable
    public static func combineLatest(_ signals: some Collection<Signal> & Sendable) -> Signal<[Value], Failure> {
        woven(Array(signals), queueBound: nil, stage: "combineLatest")
    }

    /// Returns a signal that delivers the latest values of this signal and another whenever one of them delivers.
    ///
    /// - Delivery: the same as for `Signal.combineLatest`.
    /// - Failure: the first failure, which cancels the other input.
    @inlinable
    public func combineLatest<Other: Sendable>(_ other: Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
        .combineLatest(self, other)
    }

    /// Returns a signal that delivers the latest values of this signal and two others whenever one of them delivers.
    ///
    /// - Delivery: the same as for `Signal.combineLatest`.
    /// - Failure: the first failure, which cancels the other inputs.
    @inlinable
    public func combineLatest<Second: Sendable, Third: Sendable>(
        _ second: Signal<Second, Failure>, _ third: Signal<Third, Failure>
    ) -> Signal<(Value, Second, Third), Failure> {
        .combineLatest(self, second, third)
    }

    /// Returns a signal that delivers the latest values of this signal and two or more others whenever one delivers.
    ///
    /// - Delivery: the same as for `Signal.combineLatest`.
    /// - Failure: the first failure, which cancels all other inputs.
    @inlinable
    public func combineLatest<Second: Sendable, Third: Sendable, each Other: Sendable>(
        _ second: Signal<Second, Failure>, _ third: Signal<Third, Failure>, _ others: repeat Signal<each Other, Failure>
    ) -> Signal<(Value, Second, Third, repeat each Other), Failure> {
        .combineLatest(self, second, third, repeat each others)
    }

    /// Applies `combineLatest(_:)` with another signal that cannot fail.
    ///
    /// - Failure: this signal's failure, which cancels the other signal.
    @inlinable @_disfavoredOverload
    public func combineLatest<Other: Sendable>(_ other: Signal<Other, Never>) -> Signal<(Value, Other), Failure> {
        combineLatest(other.setFailureType(to: Failure.self))
    }

    /// Applies `combineLatest(_:)` with several other signals that cannot fail.
    ///
    /// - Failure: this signal's failure, which cancels all other signals.
    @inlinable @_disfavoredOverload
    public func combineLatest<Second: Sendable, Third: Sendable, each Other: Sendable>(
        _ second: Signal<Second, Never>, _ third: Signal<Third, Never>, _ others: repeat Signal<each Other, Never>
    ) -> Signal<(Value, Second, Third, repeat each Other), Failure> {
        combineLatest(
            second.setFailureType(to: Failure.self), third.setFailureType(to: Failure.self),
            repeat (each others).setFailureType(to: Failure.self))
    }
}

extension Signal where Failure == Never {
    /// Applies `combineLatest(_:)` to a signal that cannot fail, with another signal that can fail.
    ///
    /// - Failure: the other signal's failure, which cancels this signal.
    @inlinable @_disfavoredOverload
    public func combineLatest<Second: Sendable, Other: Error>(
        _ other: Signal<Second, Other>
    ) -> Signal<(Value, Second), Other> {
        setFailureType(to: Other.self).combineLatest(other)
    }

    /// Applies `combineLatest(_:)` to a signal that cannot fail, with several other signals that can fail.
    ///
    /// - Failure: the first failure of the other signals, which cancels all inputs.
    @inlinable @_disfavoredOverload
    public func combineLatest<Second: Sendable, Third: Sendable, each More: Sendable, Other: Error>(
        _ second: Signal<Second, Other>, _ third: Signal<Third, Other>, _ others: repeat Signal<each More, Other>
    ) -> Signal<(Value, Second, Third, repeat each More), Other> {
        setFailureType(to: Other.self).combineLatest(second, third, repeat each others)
    }
}
