extension Signal {
    /// Returns a signal of arrays of `count` values; the last may be shorter.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...5).collect(2).sink { print($0) }  // [1, 2] [3, 4] [5]
    /// ```
    ///
    /// - Delivery: an array for each `count` values, on the same thread, and the rest at the finish, once it is
    ///   requested. A request for one array requests `count` values from the upstream.
    /// - Failure: the upstream's, at once; buffered values are dropped, to `DiscardHook`.
    public func collect(_ count: Int) -> Signal<[Value], Failure> {
        precondition(count > 0, "collect(_:) needs arrays of one value or more.")
        return .following(grouped(count)) { completion, arbiter, next in
            guard case .failure(let ending) = completion else { return next.receive(completion: .finished) }
            switch ending {
            case .failure(let failure): next.receive(completion: .failure(failure))
            case .rest(let values):
                arbiter.followToTheEnd(.just(values), for: next)
            }
        }
    }

    /// Full arrays; what is left over becomes the completion, to be delivered when there is demand for it.
    private func grouped(_ count: Int) -> Signal<[Value], Ending<Value, Failure>> {
        lift { next in
            let group = Serial<[Value]>([])
            return Sink(
                onUpstream: { upstream in
                    next.receive(
                        upstream: Upstream(request: { upstream.request($0 * count) }, cancel: upstream.cancel))
                },
                onValue: { value in
                    group.state.append(value)
                    if group.state.count < count { return .none }
                    let full = group.state
                    group.state = []
                    return next.receive(full) * count
                },
                onCompletion: { completion in
                    let rest = group.state
                    group.state = []
                    switch completion {
                    case .finished where rest.isEmpty: next.receive(completion: .finished)
                    case .finished: next.receive(completion: .failure(.rest(rest)))
                    case .failure(let failure):
                        for value in rest { DiscardHook.report(value, .afterEnd, stage: "collect") }
                        next.receive(completion: .failure(.failure(failure)))
                    }
                })
        }
    }
}

private enum Ending<Value: Sendable, Failure: Error>: Error {
    case rest([Value])
    case failure(Failure)
}
