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
    /// - Delivery: one value at a time, on the thread of one of the signals. The values of one signal stay in order.
    ///   For a sink with limited demand, the operator buffers at most 16 values of each signal. The run finishes when
    ///   all signals have finished.
    /// - Failure: the first failure of any signal. The operator then cancels all other signals and drops buffered
    ///   values.
    @inlinable
    public static func merge(_ signals: Signal...) -> Signal { merge(signals) }

    /// Returns a signal of the values of many signals, as they arrive.
    ///
    /// - Delivery: the same as for `merge` with separate arguments.
    /// - Failure: the first failure of any signal, which cancels all other signals.
    @inlinable
    public static func merge(_ signals: some Collection<Signal> & Sendable) -> Signal {
        Signal<Signal, Failure>.sequence(signals).fanning(.unlimited, stage: "merge") { $0 }
    }

    /// Returns a signal of the values of this signal and others, as they arrive.
    ///
    /// - Delivery: the same as for `Signal.merge`.
    /// - Failure: the first failure of any signal, which cancels all other signals.
    @inlinable
    public func merge(with others: Signal...) -> Signal { .merge([self] + others) }

    /// Applies `merge(with:)` with other signals that cannot fail.
    ///
    /// - Failure: this signal's, which cancels all other signals.
    @inlinable @_disfavoredOverload
    public func merge(with others: Signal<Value, Never>...) -> Signal {
        .merge([self] + others.map { $0.setFailureType(to: Failure.self) })
    }
}

extension Signal where Failure == Never {
    /// Applies `merge(with:)` to a signal that cannot fail, with other signals that can fail.
    ///
    /// - Failure: the first failure of any signal, which cancels all other signals.
    @inlinable @_disfavoredOverload
    public func merge<Other: Error>(with others: Signal<Value, Other>...) -> Signal<Value, Other> {
        .merge([setFailureType(to: Other.self)] + others)
    }
}
