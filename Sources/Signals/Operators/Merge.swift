extension Signal {
    /// Returns a signal of the values of many signals, as they arrive.
    ///
    /// ```swift
    /// let left = Broadcast<String, Never>(), right = Broadcast<String, Never>()
    /// let token = Signal.merge(left.signal, right.signal).sink { print($0) }
    /// left.send("l")  // l
    /// right.send("r")  // r
    /// ```
    ///
    /// - Delivery: one value at a time, on the thread on which a signal delivers; the values of one signal stay in
    ///   order. For a sink with limited demand it holds at most 16 values of each signal. It finishes when all have.
    /// - Failure: the first one; all the others are cancelled, and waiting values are dropped.
    @inlinable
    public static func merge(_ signals: Signal...) -> Signal { merge(signals) }

    /// Returns a signal of the values of many signals, as they arrive.
    ///
    /// - Delivery: as `merge` of separate signals.
    /// - Failure: the first one; all the others are cancelled.
    @inlinable
    public static func merge(_ signals: some Collection<Signal> & Sendable) -> Signal {
        Signal<Signal, Failure>.sequence(signals).fanning(.unlimited, stage: "merge") { $0 }
    }

    /// Returns a signal of the values of this signal and others, as they arrive.
    ///
    /// - Delivery: as `Signal.merge`.
    /// - Failure: the first one; all the others are cancelled.
    @inlinable
    public func merge(with others: Signal...) -> Signal { .merge([self] + others) }

    /// Applies `merge(with:)` with other signals that cannot fail.
    ///
    /// - Failure: this signal's; all the others are cancelled.
    @inlinable @_disfavoredOverload
    public func merge(with others: Signal<Value, Never>...) -> Signal {
        .merge([self] + others.map { $0.setFailureType(to: Failure.self) })
    }
}

extension Signal where Failure == Never {
    /// Applies `merge(with:)` to a signal that cannot fail, with other signals that may.
    ///
    /// - Failure: the first one; all the others are cancelled.
    @inlinable @_disfavoredOverload
    public func merge<Other: Error>(with others: Signal<Value, Other>...) -> Signal<Value, Other> {
        .merge([setFailureType(to: Other.self)] + others)
    }
}
