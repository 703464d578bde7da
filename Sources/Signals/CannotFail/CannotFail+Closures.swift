// A closure that throws, or makes signals that may fail, determines the failure type of a signal that cannot. The plain
// forms are tried first, and chosen if a closure fits both.

extension Signal where Failure == Never {
    /// Returns a signal as `tryAllSatisfy(_:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryAllSatisfy<Thrown: Error>(
        _ isMatch: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Bool, Thrown> {
        setFailureType(to: Thrown.self).tryAllSatisfy(isMatch)
    }

    /// Returns a signal as `tryCompactMap(_:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryCompactMap<Output, Thrown: Error>(
        _ transform: @escaping @Sendable (Value) throws(Thrown) -> Output?
    ) -> Signal<Output, Thrown> {
        setFailureType(to: Thrown.self).tryCompactMap(transform)
    }

    /// Returns a signal as `tryContains(where:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryContains<Thrown: Error>(
        where isMatch: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Bool, Thrown> {
        setFailureType(to: Thrown.self).tryContains(where: isMatch)
    }

    /// Returns a signal as `tryDrop(while:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryDrop<Thrown: Error>(
        while isDropped: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryDrop(while: isDropped)
    }

    /// Returns a signal as `tryFilter(_:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryFilter<Thrown: Error>(
        _ isIncluded: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryFilter(isIncluded)
    }

    /// Returns a signal as `tryFirst(where:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryFirst<Thrown: Error>(
        where isMatch: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryFirst(where: isMatch)
    }

    /// Returns a signal as `tryLast(where:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryLast<Thrown: Error>(
        where isMatch: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryLast(where: isMatch)
    }

    /// Returns a signal as `tryMap(_:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryMap<Output, Thrown: Error>(
        _ transform: @escaping @Sendable (Value) throws(Thrown) -> Output
    ) -> Signal<Output, Thrown> {
        setFailureType(to: Thrown.self).tryMap(transform)
    }

    /// Returns a signal as `tryMax(by:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryMax<Thrown: Error>(
        by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryMax(by: areInIncreasingOrder)
    }

    /// Returns a signal as `tryMin(by:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryMin<Thrown: Error>(
        by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryMin(by: areInIncreasingOrder)
    }

    /// Returns a signal as `tryPrefix(while:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryPrefix<Thrown: Error>(
        while isIncluded: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryPrefix(while: isIncluded)
    }

    /// Returns a signal as `tryReduce(_:_:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryReduce<Output: Sendable, Thrown: Error>(
        _ initial: Output, _ combine: @escaping @Sendable (Output, Value) throws(Thrown) -> Output
    ) -> Signal<Output, Thrown> {
        setFailureType(to: Thrown.self).tryReduce(initial, combine)
    }

    /// Returns a signal as `tryReduce(into:_:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryReduce<Output: Sendable, Thrown: Error>(
        into initial: Output, _ combine: @escaping @Sendable (inout Output, Value) throws(Thrown) -> Void
    ) -> Signal<Output, Thrown> {
        setFailureType(to: Thrown.self).tryReduce(into: initial, combine)
    }

    /// Returns a signal as `tryRemoveDuplicates(by:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryRemoveDuplicates<Thrown: Error>(
        by areEqual: @escaping @Sendable (Value, Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryRemoveDuplicates(by: areEqual)
    }

    /// Returns a signal as `tryScan(_:_:)`, whose closure may fail although its upstream cannot.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryScan<Output: Sendable, Thrown: Error>(
        _ initial: Output, _ combine: @escaping @Sendable (Output, Value) throws(Thrown) -> Output
    ) -> Signal<Output, Thrown> {
        setFailureType(to: Thrown.self).tryScan(initial, combine)
    }

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
