/// A value or the end of a signal, as a value.
public enum SignalEvent<Value: Sendable, Failure: Error>: Sendable {
    /// A value.
    case value(Value)
    /// The end.
    case completion(Completion<Failure>)
}

extension SignalEvent: Equatable where Value: Equatable, Failure: Equatable {}
extension SignalEvent: Hashable where Value: Hashable, Failure: Hashable {}

extension Signal {
    /// Returns a signal that delivers the values and the end as events, and cannot fail itself.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(1).materialize().sink { print($0) }  // value(1) completion(finished)
    /// ```
    ///
    /// - Delivery: one event for each value and one for the end, once it is requested; then it finishes.
    @inlinable
    public func materialize() -> Signal<SignalEvent<Value, Failure>, Never> {
        .following(map { SignalEvent<Value, Failure>.value($0) }) { completion, arbiter, next in
            arbiter.followToTheEnd(.just(.completion(completion)), for: next)
        }
    }

    /// Returns a signal of the values and the end that events represent: the reverse of `materialize`.
    ///
    /// ```swift
    /// let events = Signal<SignalEvent<Int, Never>, Never>.sequence([.value(1), .completion(.finished), .value(2)])
    /// let token = events.dematerialize().sink { print($0) }  // 1
    /// ```
    ///
    /// - Delivery: the values up to the first event that is an end, which ends the signal and cancels the upstream.
    ///   That event is requested like a value, so an end may need demand.
    /// - Failure: the event's.
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
