extension Signal {
    /// Returns a signal that finishes at once, without a value.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.empty().sink(
    ///     onValue: { print($0) }, onCompletion: { print($0) })  // finished
    /// ```
    ///
    /// - Delivery: the completion, during attach and without demand.
    @inlinable
    public static func empty() -> Signal { ending(.finished) }

    /// Returns a signal that only completes.
    ///
    /// A sink that cancels while it receives its upstream gets no completion.
    @inlinable
    static func ending(_ completion: Completion<Failure>) -> Signal {
        Signal(trusted: { sink in
            let run = Attachment()
            sink.receive(upstream: Upstream(request: { _ in }, cancel: { run.cancel() }))
            if run.end() { sink.receive(completion: completion) }
        })
    }
}
