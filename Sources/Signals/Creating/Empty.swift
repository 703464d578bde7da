extension Signal {
    /// Returns a signal that finishes at once, without a value.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.empty().sink(
    ///     onValue: { print($0) }, onCompletion: { print($0) })  // finished
    /// ```
    ///
    /// - Delivery: the end, during attach; it needs no demand.
    @inlinable
    public static func empty() -> Signal { ending(.finished) }

    /// A signal that only ends; a sink that cancels on receiving its upstream receives nothing.
    @inlinable
    static func ending(_ completion: Completion<Failure>) -> Signal {
        Signal(trusted: { sink in
            let state = EndRun()
            sink.receive(upstream: Upstream(request: { _ in }, cancel: { state.demand.close() }))
            if state.demand.close() { sink.receive(completion: completion) }
        })
    }
}

/// One run of a signal without values: whether it was cancelled.
@usableFromInline
final class EndRun: Sendable {
    @usableFromInline let demand = DemandCounter()

    @inlinable
    init() {}
}
