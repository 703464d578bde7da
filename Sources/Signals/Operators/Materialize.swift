/// An event of a signal: one of its values, or its end.
public enum SignalEvent<Value: Sendable, Failure: Error>: Sendable {
    /// A value.
    case value(Value)
    /// The end.
    case completion(Completion<Failure>)
}

extension SignalEvent: Equatable where Value: Equatable, Failure: Equatable {}
extension SignalEvent: Hashable where Value: Hashable, Failure: Hashable {}

extension Signal {
    /// Returns a signal that delivers each value and the end as an event, and cannot fail.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(1).materialize().sink { print($0) }  // value(1) completion(finished)
    /// ```
    ///
    /// - Delivery: one event for each value, then one event for the end; the sink must request this event too. Then the
    ///   signal finishes.
    @inlinable
    public func materialize() -> Signal<SignalEvent<Value, Failure>, Never> {
        .following(map { SignalEvent<Value, Failure>.value($0) }) { completion, arbiter, next in
            arbiter.followToTheEnd(.just(.completion(completion)), for: next)
        }
    }

    /// Returns a signal that turns events back into values and an end: the reverse of `materialize`.
    ///
    /// ```swift
    /// let events = Signal<SignalEvent<Int, Never>, Never>.sequence([.value(1), .completion(.finished), .value(2)])
    /// let token = events.dematerialize().sink { print($0) }  // 1
    /// ```
    ///
    /// - Delivery: the values of all events before the first completion event, which ends the signal and cancels the
    ///   upstream. The upstream delivers that event only on demand, so the end may need a request by the sink.
    /// - Failure: the failure that the completion event contains.
    @inlinable
    public func dematerialize<Output: Sendable, Other: Error>() -> Signal<Output, Other>
    where Value == SignalEvent<Output, Other>, Failure == Never {
        lift { next in
            let cut = Cut(next, ())
            return Sink(
                onUpstream: { cut.receive(upstream: $0, for: next) },
                onValue: { event in
                    switch event {
                    case .value(let value): next.receive(value)
                    case .completion(let completion): cut.end(completion, stage: "dematerialize")
                    }
                },
                onCompletion: { _ in cut.pass(.finished) })
        }
    }
}
