extension Signal {
    /// Returns a signal that combines the values of several signals of any types into tuples by position.
    ///
    /// ```swift
    /// let letters = Signal<String, Never>.sequence(["a", "b"]), numbers = Signal<Int, Never>.sequence(1...)
    /// let token = Signal.zip(letters, numbers).sink { print($0) }  // ("a", 1) ("b", 2)
    /// ```
    ///
    /// - Delivery: a tuple each time every signal has delivered one more value. No signal runs ahead of the tuples by
    ///   more than 16 values. The run finishes when a signal has finished and all its values have been delivered.
    /// - Failure: the first failure of any signal. The operator then cancels all other signals and drops buffered
    ///   values.
    @inlinable
    public static func zip<First: Sendable, Second: Sendable, Third: Sendable, each Other: Sendable>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>, _ third: Signal<Third, Failure>,
        _ others: repeat Signal<each Other, Failure>
    ) -> Signal where Value == (First, Second, Third, repeat each Other) {
        .woven(first, second, third, repeat each others, queueBound: 16, stage: "zip")
    }

    /// Returns the same tuples as the other overloads, for a call on a type whose `Value` is already fixed, such as an
    /// alias of `Signal<Int, Never>`.
    ///
    /// - Delivery: the same as for the other overloads.
    /// - Failure: the first failure of any signal, which cancels all other signals.
    @inlinable @_disfavoredOverload
    public static func zip<First: Sendable, Second: Sendable, each Other: Sendable>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>,
        _ others: repeat Signal<each Other, Failure>
    ) -> Signal<(First, Second, repeat each Other), Failure> {
        .woven(first, second, repeat each others, queueBound: 16, stage: "zip")
    }

    /// Returns a signal that combines the values of two signals into tuples by position.
    ///
    /// - Delivery: the same as for any number of signals, at a fraction of the cost.
    /// - Failure: the first failure of either signal, which cancels the other signal.
    @inlinable
    public static func zip<First: Sendable, Second: Sendable>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>
    ) -> Signal where Value == (First, Second) {
        .woven(first, bound: 16, second, bound: 16, stage: "zip")
    }

    /// Returns a signal that combines the values of three signals into tuples by position.
    ///
    /// - Delivery: the same as for any number of signals, at a fraction of the cost.
    /// - Failure: the first failure of any signal, which cancels all other signals.
    @inlinable
    public static func zip<First: Sendable, Second: Sendable, Third: Sendable>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>, _ third: Signal<Third, Failure>
    ) -> Signal where Value == (First, Second, Third) {
        .woven(first, second, third, bound: 16, stage: "zip")
    }

    /// Returns a signal that combines the values of many signals of one type into arrays by position.
    ///
    /// ```swift
    /// let sums = Signal.zip((1...3).map { Signal<Int, Never>.sequence([$0, $0 * 10]) })
    /// let token = sums.sink { print($0) }  // [1, 2, 3] [10, 20, 30]
    /// ```
    ///
    /// - Delivery: the same as for separate arguments. Without any signals, the result finishes at once.
    /// - Failure: the first failure of any signal, which cancels all other signals.
    /// - Complexity: O(n) for each array, where n is the number of signals.
    @inlinable
    public static func zip(_ signals: some Collection<Signal> & Sendable) -> Signal<[Value], Failure> {
        woven(Array(signals), queueBound: 16, stage: "zip")
    }

    /// Returns a signal that combines the values of this signal and another into tuples by position.
    ///
    /// - Delivery: the same as for `Signal.zip`.
    /// - Failure: the first failure of either signal, which cancels the other signal.
    @inlinable
    public func zip<Other: Sendable>(_ other: Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
        .zip(self, other)
    }

    /// Returns a signal that combines the values of this signal and two others into tuples by position.
    ///
    /// - Delivery: the same as for `Signal.zip`.
    /// - Failure: the first failure of any signal, which cancels all other signals.
    @inlinable
    public func zip<Second: Sendable, Third: Sendable>(
        _ second: Signal<Second, Failure>, _ third: Signal<Third, Failure>
    ) -> Signal<(Value, Second, Third), Failure> {
        .zip(self, second, third)
    }

    /// Returns a signal that combines the values of this signal and two or more others into tuples by position.
    ///
    /// - Delivery: the same as for `Signal.zip`.
    /// - Failure: the first failure of any signal, which cancels all other signals.
    @inlinable
    public func zip<Second: Sendable, Third: Sendable, each Other: Sendable>(
        _ second: Signal<Second, Failure>, _ third: Signal<Third, Failure>, _ others: repeat Signal<each Other, Failure>
    ) -> Signal<(Value, Second, Third, repeat each Other), Failure> {
        .zip(self, second, third, repeat each others)
    }

    /// Applies `zip(_:)` with another signal that cannot fail.
    ///
    /// ```swift
    /// let numbers = Signal<Int, Never>.sequence(1...)
    /// let token = repository.fetch(Movie.all).flatMap { .sequence($0) }.zip(numbers)
    ///     .sink(onValue: { print($1, $0.title) }, onCompletion: { print($0) })
    /// ```
    ///
    /// - Failure: this signal's, which cancels the other signal.
    @inlinable @_disfavoredOverload
    public func zip<Other: Sendable>(_ other: Signal<Other, Never>) -> Signal<(Value, Other), Failure> {
        zip(other.setFailureType(to: Failure.self))
    }

    /// Applies `zip(_:)` with several other signals that cannot fail.
    ///
    /// - Failure: this signal's, which cancels all other signals.
    @inlinable @_disfavoredOverload
    public func zip<Second: Sendable, Third: Sendable, each Other: Sendable>(
        _ second: Signal<Second, Never>, _ third: Signal<Third, Never>, _ others: repeat Signal<each Other, Never>
    ) -> Signal<(Value, Second, Third, repeat each Other), Failure> {
        zip(
            second.setFailureType(to: Failure.self), third.setFailureType(to: Failure.self),
            repeat (each others).setFailureType(to: Failure.self))
    }
}

extension Signal where Failure == Never {
    /// Applies `zip(_:)` to a signal that cannot fail, with another signal that can fail.
    ///
    /// - Failure: the other signal's, which cancels this signal.
    @inlinable @_disfavoredOverload
    public func zip<Second: Sendable, Other: Error>(
        _ other: Signal<Second, Other>
    ) -> Signal<(Value, Second), Other> {
        setFailureType(to: Other.self).zip(other)
    }

    /// Applies `zip(_:)` to a signal that cannot fail, with several other signals that can fail.
    ///
    /// - Failure: the first failure of the other signals, which cancels all signals.
    @inlinable @_disfavoredOverload
    public func zip<Second: Sendable, Third: Sendable, each More: Sendable, Other: Error>(
        _ second: Signal<Second, Other>, _ third: Signal<Third, Other>, _ others: repeat Signal<each More, Other>
    ) -> Signal<(Value, Second, Third, repeat each More), Other> {
        setFailureType(to: Other.self).zip(second, third, repeat each others)
    }
}
