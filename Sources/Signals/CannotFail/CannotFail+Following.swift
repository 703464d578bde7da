// A signal that cannot fail is accepted wherever a failing one is: here, before or after another, or to open or close
// it.

extension Signal {
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
