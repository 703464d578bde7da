extension Signal {
    /// Returns a copy of the signal that prints a line for each event of a run.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(1).print("one").sink { _ in }
    /// // one: upstream
    /// // one: request unlimited
    /// // one: value 1
    /// // one: finished
    /// ```
    ///
    /// If the sink returns demand for a value, the operator prints this demand as a request, after the value.
    ///
    /// - Delivery: the same as the upstream's. The operator calls `write` on the thread of the event, with one line of
    ///   text and no line break.
    public func print(
        _ label: String = "signal", to write: @escaping @Sendable (String) -> Void = { Swift.print($0) }
    ) -> Signal {
        handleEvents(
            onUpstream: { write("\(label): upstream") },
            onRequest: { write("\(label): request \($0)") },
            onValue: { write("\(label): value \($0)") },
            onCompletion: { completion in
                switch completion {
                case .finished: write("\(label): finished")
                case .failure(let failure): write("\(label): failure \(failure)")
                }
            },
            onCancel: { write("\(label): cancel") })
    }
}
