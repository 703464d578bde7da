// A signal that cannot fail is accepted wherever a failing one is: here, as the inner signal of an operator that makes
// one from each value. The plain forms are tried first, and chosen if a closure fits both.

extension Signal {
    /// Returns a signal as `flatMap(maxConcurrent:_:)`, whose inner signals cannot fail.
    ///
    /// ```swift
    /// let names = CurrentValue<String, Never>("Fargo")
    /// let token = repository.count(Movie.all).flatMap { count in names.signal.map { "\(count) and \($0)" } }
    ///     .sink(onValue: { print($0) }, onCompletion: { _ in })
    /// ```
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func flatMap<Output: Sendable>(
        maxConcurrent: Demand = .unlimited, _ transform: @escaping @Sendable (Value) -> Signal<Output, Never>
    ) -> Signal<Output, Failure> {
        flatMap(maxConcurrent: maxConcurrent) { transform($0).setFailureType(to: Failure.self) }
    }

    /// Returns a signal as `concatMap(_:)`, whose inner signals cannot fail.
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func concatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Never>
    ) -> Signal<Output, Failure> {
        concatMap { transform($0).setFailureType(to: Failure.self) }
    }

    /// Returns a signal as `flatMapLatest(_:)`, whose inner signals cannot fail.
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func flatMapLatest<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Never>
    ) -> Signal<Output, Failure> {
        flatMapLatest { transform($0).setFailureType(to: Failure.self) }
    }

    /// Returns a signal as `flatMapFirst(_:)`, whose inner signals cannot fail.
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func flatMapFirst<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Never>
    ) -> Signal<Output, Failure> {
        flatMapFirst { transform($0).setFailureType(to: Failure.self) }
    }

    /// Returns a signal as `switchToLatest()`, whose inner signals cannot fail.
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func switchToLatest<Output: Sendable>() -> Signal<Output, Failure> where Value == Signal<Output, Never> {
        flatMapLatest { $0.setFailureType(to: Failure.self) }
    }
}

extension Signal where Failure == Never {
    /// Returns a signal as `flatMap(maxConcurrent:_:)`, whose inner signals may fail although its upstream cannot.
    ///
    /// - Failure: the first one of an inner signal.
    @inlinable @_disfavoredOverload
    public func flatMap<Output: Sendable, Other: Error>(
        maxConcurrent: Demand = .unlimited,
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Other>
    ) -> Signal<Output, Other> {
        setFailureType(to: Other.self).flatMap(maxConcurrent: maxConcurrent, transform)
    }

    /// Returns a signal as `concatMap(_:)`, whose inner signals may fail although its upstream cannot.
    ///
    /// - Failure: the first one of an inner signal.
    @inlinable @_disfavoredOverload
    public func concatMap<Output: Sendable, Other: Error>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Other>
    ) -> Signal<Output, Other> {
        setFailureType(to: Other.self).concatMap(transform)
    }

    /// Returns a signal as `flatMapLatest(_:)`, whose inner signals may fail although its upstream cannot.
    ///
    /// - Failure: the first one of a latest inner signal.
    @inlinable @_disfavoredOverload
    public func flatMapLatest<Output: Sendable, Other: Error>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Other>
    ) -> Signal<Output, Other> {
        setFailureType(to: Other.self).flatMapLatest(transform)
    }

    /// Returns a signal as `flatMapFirst(_:)`, whose inner signals may fail although its upstream cannot.
    ///
    /// - Failure: the first one of an inner signal.
    @inlinable @_disfavoredOverload
    public func flatMapFirst<Output: Sendable, Other: Error>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Other>
    ) -> Signal<Output, Other> {
        setFailureType(to: Other.self).flatMapFirst(transform)
    }

    /// Returns a signal as `switchToLatest()`, whose inner signals may fail although its upstream cannot.
    ///
    /// - Failure: that of a latest inner signal.
    @inlinable @_disfavoredOverload
    public func switchToLatest<Output: Sendable, Other: Error>() -> Signal<Output, Other>
    where Value == Signal<Output, Other> {
        setFailureType(to: Other.self).switchToLatest()
    }
}
