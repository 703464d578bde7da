extension Signal {
    /// Returns a signal of the elements of a sequence, made as they are asked for.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence([1, 2, 3]).sink { print($0) }  // 1 2 3
    /// ```
    ///
    /// - Delivery: on the thread that asks, before the request returns. It finishes right after the last element.
    @inlinable
    public static func sequence<Elements: Sequence & Sendable>(_ elements: Elements) -> Signal
    where Elements.Element == Value {
        Signal(trusted: { sink in
            let run = PullRun<Elements.Iterator, Value, Failure>(elements.makeIterator())
            sink.receive(
                upstream: Upstream(
                    request: { run.answer($0, sink, lookingAhead: true) { (state) throws(Failure) in state.next() } },
                    cancel: { run.demand.close() }))
        })
    }
}
