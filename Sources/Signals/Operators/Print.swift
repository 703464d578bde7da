extension Signal {
    /// Returns the same signal, which prints a line for each of its events.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(1).print("one").sink { _ in }
    /// // one: upstream
    /// // one: request unlimited
    /// // one: value 1
    /// // one: finished
    /// ```
    ///
    /// Demand that a sink returns for a value is printed as a request, after the value.
    ///
    /// - Delivery: as the upstream; `write` is called where the event happens, with one line and no line break.
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
