/// The failure of a stream of complete groups: the upstream's failure, or a group that is incomplete at the finish.
private enum Ending<Value: Sendable, Failure: Error>: Error {
    case rest([Value])
    case failure(Failure)
}

extension Signal {
    /// Returns a signal of groups of values; a group is delivered when it is complete, that is, when `add` returns it.
    ///
    /// After the finish, an incomplete group is delivered once it is requested.
    ///
    /// A request for one group requests `size` values. Each value that completes no group requests `absorbed` more.
    func grouped(
        size: Int, absorbed: Demand, stage: StaticString,
        _ add: @escaping @Sendable (inout [Value], Value) -> [Value]?
    ) -> Signal<[Value], Failure> {
        .following(complete(size, absorbed, stage, add)) { completion, arbiter, next in
            guard case .failure(let ending) = completion else { return next.receive(completion: .finished) }
            switch ending {
            case .failure(let failure): next.receive(completion: .failure(failure))
            case .rest(let values): arbiter.followToTheEnd(.just(values), for: next)
            }
        }
    }

    /// Returns a signal of the complete groups; the signal fails at the finish if a group is incomplete.
    ///
    /// The failure passes the values of that group to `grouped`, which keeps them until they are requested.
    private func complete(
        _ size: Int, _ absorbed: Demand, _ stage: StaticString,
        _ add: @escaping @Sendable (inout [Value], Value) -> [Value]?
    ) -> Signal<[Value], Ending<Value, Failure>> {
        lift { next in
            let group = Serial<[Value]>([])
            return Sink(
                onUpstream: { upstream in
                    next.receive(
                        upstream: Upstream(request: { upstream.request($0 * size) }, cancel: upstream.cancel))
                },
                onValue: { value in
                    guard let full = add(&group.state, value) else { return absorbed }
                    return next.receive(full) * size
                },
                onCompletion: { completion in
                    let rest = group.state
                    group.state = []
                    switch completion {
                    case .finished where rest.isEmpty: next.receive(completion: .finished)
                    case .finished: next.receive(completion: .failure(.rest(rest)))
                    case .failure(let failure):
                        for value in rest { DiscardHook.report(value, .afterEnd, stage: stage) }
                        next.receive(completion: .failure(.failure(failure)))
                    }
                })
        }
    }
}
