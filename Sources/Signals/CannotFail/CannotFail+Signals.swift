// A signal that cannot fail is accepted wherever a failing one is: alongside others, before or after them, or to open
// or close them.

extension Signal {
    /// Returns a signal as `merge(with:)`, of this signal and others that cannot fail.
    ///
    /// - Failure: this signal's; all the others are cancelled.
    @inlinable @_disfavoredOverload
    public func merge(with others: Signal<Value, Never>...) -> Signal {
        .merge([self] + others.map { $0.setFailureType(to: Failure.self) })
    }

    /// Returns a signal as `race(with:)`, of this signal and others that cannot fail.
    ///
    /// - Failure: this signal's, if it wins.
    @_disfavoredOverload
    public func race(with others: Signal<Value, Never>...) -> Signal {
        .race([self] + others.map { $0.setFailureType(to: Failure.self) })
    }

    /// Returns a signal as `zip(_:)`, with a signal that cannot fail.
    ///
    /// ```swift
    /// let numbers = Signal<Int, Never>.sequence(1...)
    /// let token = repository.fetch(Movie.all).flatMap { .sequence($0) }.zip(numbers)
    ///     .sink(onValue: { print($1, $0.title) }, onCompletion: { print($0) })
    /// ```
    ///
    /// - Failure: this signal's; the other is cancelled.
    @inlinable @_disfavoredOverload
    public func zip<Other: Sendable>(_ other: Signal<Other, Never>) -> Signal<(Value, Other), Failure> {
        zip(other.setFailureType(to: Failure.self))
    }

    /// Returns a signal as `zip(_:)`, with several signals that cannot fail.
    ///
    /// - Failure: this signal's; all the others are cancelled.
    @inlinable @_disfavoredOverload
    public func zip<Second: Sendable, Third: Sendable, each Other: Sendable>(
        _ second: Signal<Second, Never>, _ third: Signal<Third, Never>, _ others: repeat Signal<each Other, Never>
    ) -> Signal<(Value, Second, Third, repeat each Other), Failure> {
        zip(
            second.setFailureType(to: Failure.self), third.setFailureType(to: Failure.self),
            repeat (each others).setFailureType(to: Failure.self))
    }

    /// Returns a signal as `combineLatest(_:)`, with a signal that cannot fail.
    ///
    /// - Failure: this signal's; the other is cancelled.
    @inlinable @_disfavoredOverload
    public func combineLatest<Other: Sendable>(_ other: Signal<Other, Never>) -> Signal<(Value, Other), Failure> {
        combineLatest(other.setFailureType(to: Failure.self))
    }

    /// Returns a signal as `combineLatest(_:)`, with several signals that cannot fail.
    ///
    /// - Failure: this signal's; all the others are cancelled.
    @inlinable @_disfavoredOverload
    public func combineLatest<Second: Sendable, Third: Sendable, each Other: Sendable>(
        _ second: Signal<Second, Never>, _ third: Signal<Third, Never>, _ others: repeat Signal<each Other, Never>
    ) -> Signal<(Value, Second, Third, repeat each Other), Failure> {
        combineLatest(
            second.setFailureType(to: Failure.self), third.setFailureType(to: Failure.self),
            repeat (each others).setFailureType(to: Failure.self))
    }

    /// Returns a signal as `withLatest(from:)`, with the latest value of a signal that cannot fail.
    ///
    /// - Failure: this signal's; the other is cancelled.
    @inlinable @_disfavoredOverload
    public func withLatest<Other: Sendable>(from other: Signal<Other, Never>) -> Signal<(Value, Other), Failure> {
        withLatest(from: other.setFailureType(to: Failure.self))
    }

    /// Returns a signal as `append(_:)`, which continues with a signal that cannot fail.
    ///
    /// ```swift
    /// struct Offline: Error {}
    /// let cached = Signal<Int, Never>.just(2)
    /// let token = Signal<Int, Offline>.just(1).append(cached)
    ///     .sink(onValue: { print($0) }, onCompletion: { print($0) })  // 1 2 finished
    /// ```
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func append(_ other: Signal<Value, Never>) -> Signal { append(other.setFailureType(to: Failure.self)) }

    /// Returns a signal as `prepend(_:)`, which begins with a signal that cannot fail.
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func prepend(_ other: Signal<Value, Never>) -> Signal { prepend(other.setFailureType(to: Failure.self)) }

    /// Returns a signal as `catch(_:)` that cannot fail, because the signal that it continues with cannot.
    ///
    /// - Failure: none.
    @inlinable @_disfavoredOverload
    public func `catch`(
        _ recover: @escaping @Sendable (Failure) -> Signal<Value, Never>
    ) -> Signal<Value, Never> {
        `catch`(recover)
    }

    /// Returns a signal as `prefix(until:)`, closed by a signal that cannot fail.
    ///
    /// - Failure: the upstream's.
    @_disfavoredOverload
    public func prefix<Other: Sendable>(until other: Signal<Other, Never>) -> Signal {
        prefix(until: other.setFailureType(to: Failure.self))
    }

    /// Returns a signal as `drop(until:)`, opened by a signal that cannot fail.
    ///
    /// - Failure: the upstream's.
    @_disfavoredOverload
    public func drop<Other: Sendable>(until other: Signal<Other, Never>) -> Signal {
        drop(until: other.setFailureType(to: Failure.self))
    }

    /// Returns a signal as `sample(by:)`, at the values of a signal that cannot fail.
    ///
    /// - Failure: the upstream's.
    @_disfavoredOverload
    public func sample<Other: Sendable>(by other: Signal<Other, Never>) -> Signal {
        sample(by: other.setFailureType(to: Failure.self))
    }
}

extension Signal where Failure == Never {
    /// Returns a signal as `merge(with:)`, of this signal and others that may fail.
    ///
    /// - Failure: the first one; all the others are cancelled.
    @inlinable @_disfavoredOverload
    public func merge<Other: Error>(with others: Signal<Value, Other>...) -> Signal<Value, Other> {
        .merge([setFailureType(to: Other.self)] + others)
    }

    /// Returns a signal as `race(with:)`, of this signal and others that may fail.
    ///
    /// - Failure: the winner's.
    @_disfavoredOverload
    public func race<Other: Error>(with others: Signal<Value, Other>...) -> Signal<Value, Other> {
        .race([setFailureType(to: Other.self)] + others)
    }

    /// Returns a signal as `zip(_:)`, with a signal that may fail.
    ///
    /// - Failure: the other signal's; this one is cancelled.
    @inlinable @_disfavoredOverload
    public func zip<Second: Sendable, Other: Error>(
        _ other: Signal<Second, Other>
    ) -> Signal<(Value, Second), Other> {
        setFailureType(to: Other.self).zip(other)
    }

    /// Returns a signal as `zip(_:)`, with several signals that may fail.
    ///
    /// - Failure: the first one of the others; all are cancelled.
    @inlinable @_disfavoredOverload
    public func zip<Second: Sendable, Third: Sendable, each More: Sendable, Other: Error>(
        _ second: Signal<Second, Other>, _ third: Signal<Third, Other>, _ others: repeat Signal<each More, Other>
    ) -> Signal<(Value, Second, Third, repeat each More), Other> {
        setFailureType(to: Other.self).zip(second, third, repeat each others)
    }

    /// Returns a signal as `combineLatest(_:)`, with a signal that may fail.
    ///
    /// - Failure: the other signal's; this one is cancelled.
    @inlinable @_disfavoredOverload
    public func combineLatest<Second: Sendable, Other: Error>(
        _ other: Signal<Second, Other>
    ) -> Signal<(Value, Second), Other> {
        setFailureType(to: Other.self).combineLatest(other)
    }

    /// Returns a signal as `combineLatest(_:)`, with several signals that may fail.
    ///
    /// - Failure: the first one of the others; all are cancelled.
    @inlinable @_disfavoredOverload
    public func combineLatest<Second: Sendable, Third: Sendable, each More: Sendable, Other: Error>(
        _ second: Signal<Second, Other>, _ third: Signal<Third, Other>, _ others: repeat Signal<each More, Other>
    ) -> Signal<(Value, Second, Third, repeat each More), Other> {
        setFailureType(to: Other.self).combineLatest(second, third, repeat each others)
    }

    /// Returns a signal as `withLatest(from:)`, with the latest value of a signal that may fail.
    ///
    /// - Failure: the other signal's; this one is cancelled.
    @inlinable @_disfavoredOverload
    public func withLatest<Second: Sendable, Other: Error>(
        from other: Signal<Second, Other>
    ) -> Signal<(Value, Second), Other> {
        setFailureType(to: Other.self).withLatest(from: other)
    }

    /// Returns a signal as `append(_:)`, which continues with a signal that may fail.
    ///
    /// - Failure: the other signal's.
    @inlinable @_disfavoredOverload
    public func append<Other: Error>(_ other: Signal<Value, Other>) -> Signal<Value, Other> {
        setFailureType(to: Other.self).append(other)
    }

    /// Returns a signal as `prepend(_:)`, which begins with a signal that may fail.
    ///
    /// - Failure: the other signal's.
    @inlinable @_disfavoredOverload
    public func prepend<Other: Error>(_ other: Signal<Value, Other>) -> Signal<Value, Other> {
        setFailureType(to: Other.self).prepend(other)
    }

    /// Returns a signal as `prefix(until:)`, closed by a signal that may fail.
    ///
    /// - Failure: the other signal's.
    @_disfavoredOverload
    public func prefix<Trigger: Sendable, Other: Error>(
        until other: Signal<Trigger, Other>
    ) -> Signal<Value, Other> {
        setFailureType(to: Other.self).prefix(until: other)
    }

    /// Returns a signal as `drop(until:)`, opened by a signal that may fail.
    ///
    /// - Failure: the other signal's.
    @_disfavoredOverload
    public func drop<Trigger: Sendable, Other: Error>(
        until other: Signal<Trigger, Other>
    ) -> Signal<Value, Other> {
        setFailureType(to: Other.self).drop(until: other)
    }

    /// Returns a signal as `sample(by:)`, at the values of a signal that may fail.
    ///
    /// - Failure: the other signal's.
    @_disfavoredOverload
    public func sample<Trigger: Sendable, Other: Error>(by other: Signal<Trigger, Other>) -> Signal<Value, Other> {
        setFailureType(to: Other.self).sample(by: other)
    }
}
