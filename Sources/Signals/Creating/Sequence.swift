extension Signal {
    /// Returns a signal that delivers a sequence's elements, and takes at most one element ahead of the demand.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence([1, 2, 3]).sink { print($0) }  // 1 2 3
    /// ```
    ///
    /// - Delivery: on the requesting thread, before the request returns. The signal finishes right after the last
    ///   element, or during attach if the sequence is empty. If the sequence's `underestimatedCount` is zero, the first
    ///   element is made during attach.
    @inlinable
    public static func sequence<Elements: Sequence & Sendable>(_ elements: Elements) -> Signal
    where Elements.Element == Value {
        Signal(trusted: { sink in iterate(elements, into: sink) })
    }

    /// Returns a signal that delivers a lazy sequence's elements, and makes at most one element ahead of the demand.
    ///
    /// ```swift
    /// let squares = Signal<Int, Never>.sequence((1...1_000_000).lazy.map { $0 * $0 })
    /// let token = squares.prefix(3).sink { print($0) }  // 1 4 9, and no other square is made
    /// ```
    ///
    /// The argument is evaluated for each sink, since the closures of a lazy sequence need not be safe to share between
    /// threads. Passing a variable that holds a lazy sequence does not compile, because all sinks would share that
    /// sequence: write the expression as the argument, or pass a closure.
    ///
    /// - Delivery: the same as for any sequence.
    @inlinable
    public static func sequence<Elements: LazySequenceProtocol & SendableMetatype>(
        _ make: @autoclosure @escaping @Sendable () -> sending Elements
    ) -> Signal where Elements.Element == Value {
        Signal(trusted: { sink in iterate(make(), into: sink) })
    }

    /// Returns a signal of the elements of the sequence that `make` returns for each sink.
    ///
    /// The sequence need not be `Sendable`.
    ///
    /// ```swift
    /// let words = Signal<Substring, Never>.sequence { "one two".split(separator: " ").lazy.filter { $0 != "one" } }
    /// let token = words.sink { print($0) }  // two
    /// ```
    ///
    /// - Delivery: the same as for any sequence; `make` is called on the attaching thread.
    @inlinable
    public static func sequence<Elements: Sequence & SendableMetatype>(
        _ make: @escaping @Sendable () -> sending Elements
    ) -> Signal where Elements.Element == Value {
        Signal(trusted: { sink in iterate(make(), into: sink) })
    }

    /// Delivers the elements of a sequence that no other run uses.
    ///
    /// Always inlined, so that the stages fuse into a loop.
    @inlinable @inline(__always)
    static func iterate<Elements: Sequence & SendableMetatype>(
        _ elements: Elements, into sink: Sink<Value, Failure>
    ) where Elements.Element == Value {
        let run = PullRun<Elements.Iterator, Value, Failure>(elements.makeIterator())
        // Takes the first element before the sink can request it, but only from a sequence that may be empty. A
        // sequence that certainly has elements waits for demand.
        let isEmpty = elements.underestimatedCount == 0 && run.lookAhead { $0.next() } == nil
        if sink.requestsAllAtOnce {
            run.serveAll(sink) { (state) throws(Failure) in state.next() }
        } else {
            sink.receive(
                upstream: Upstream(
                    request: { run.answer($0, sink, lookingAhead: true) { (state) throws(Failure) in state.next() } },
                    cancel: { run.demand.close() }))
        }
        if isEmpty { run.finish(sink) }
    }
}
