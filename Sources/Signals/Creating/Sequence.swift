extension Signal {
    /// Returns a signal of the elements of a sequence, made as they are requested.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence([1, 2, 3]).sink { print($0) }  // 1 2 3
    /// ```
    ///
    /// - Delivery: on the requesting thread, before the request returns. It finishes right after the last element, or
    ///   during attach if the sequence is empty. A sequence that does not know whether it has elements makes its first
    ///   one then.
    @inlinable
    public static func sequence<Elements: Sequence & Sendable>(_ elements: Elements) -> Signal
    where Elements.Element == Value {
        Signal(trusted: { sink in
            let run = PullRun<Elements.Iterator, Value, Failure>(elements.makeIterator())
            // Before anybody can request, and only for a sequence that may be empty: others make nothing without
            // demand.
            let isEmpty = elements.underestimatedCount == 0 && run.lookAhead { $0.next() } == nil
            sink.receive(
                upstream: Upstream(
                    request: { run.answer($0, sink, lookingAhead: true) { (state) throws(Failure) in state.next() } },
                    cancel: { run.demand.close() }))
            if isEmpty { run.finish(sink) }
        })
    }
}
