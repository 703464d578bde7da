extension Signal {
    /// Returns a signal that drops the leading values that satisfy a predicate.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence([1, 5, 2]).drop(while: { $0 < 3 }).sink { print($0) }  // 5 2
    /// ```
    ///
    /// - Delivery: at most one value for each upstream value, on the upstream's thread. The operator requests another
    ///   value for each value that it drops.
    @inlinable
    public func drop(while isDropped: @escaping @Sendable (Value) -> Bool) -> Signal {
        lift { next in
            let isDropping = Serial(true)
            return Sink(
                passingTo: next,
                onValue: { value in
                    if isDropping.state {
                        if isDropped(value) { return .max(1) }
                        isDropping.state = false
                    }
                    return next.receive(value)
                })
        }
    }

    /// Returns a signal that drops the leading values that satisfy a predicate; the signal fails if the predicate
    /// throws.
    ///
    /// ```swift
    /// struct Unknown: Error {}
    /// let high = Signal<Int, Unknown>.sequence([1, -1, 5]).tryDrop(while: { value throws(Unknown) in
    ///     if value < 0 { throw Unknown() }
    ///     return value < 3
    /// })
    /// let token = high.sink(onValue: { print($0) }, onCompletion: { print($0) })  // failure(Unknown())
    /// ```
    ///
    /// - Delivery: at most one value for each upstream value, on the upstream's thread. The operator requests another
    ///   value for each value that it drops. It does not call the predicate again after the first value that does not
    ///   satisfy it.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable
    public func tryDrop(while isDropped: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal {
        trying(true, stage: "tryDropWhile") { isDropping, value throws(Failure) in
            if isDropping { isDropping = try isDropped(value) }
            return isDropping ? .drop : .deliver(value)
        }
    }
}

extension Signal where Failure == Never {
    /// Applies `tryDrop(while:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryDrop<Thrown: Error>(
        while isDropped: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryDrop(while: isDropped)
    }
}
