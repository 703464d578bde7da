extension Signal {
    /// Returns a signal of the first `count` values, which then cancels its upstream and finishes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...).prefix(3).sink { print($0) }  // 1 2 3
    /// ```
    ///
    /// - Delivery: at most `count` values, on the same thread; it finishes right after the last of them. No more than
    ///   that is requested from a source that can wait, such as a sequence. A source that cannot wait, such as a
    ///   `Broadcast`, is not limited once the sink has requested all of them, so that a stage that drops values behind
    ///   a scheduler loses nothing. With a count of zero it finishes at once and the upstream is never attached.
    @inlinable
    public func prefix(_ count: Int) -> Signal {
        precondition(count >= 0, "prefix(_:) needs a count of zero or more.")
        if count == 0 { return .empty() }
        return lift { next in
            let cut = Cut(next, count)
            let allowance = Allowance(count)
            return Sink(
                onUpstream: { upstream in
                    cut.receive(
                        upstream: Upstream(
                            request: { upstream.request(allowance.take($0)) }, cancel: upstream.onCancel),
                        for: next)
                },
                onValue: { value in
                    cut.state -= 1
                    // Requested before the delivery: a send from inside it must find the count already taken.
                    let isLast = cut.state == 0
                    let more = next.receive(value)
                    return isLast ? cut.end(.finished, stage: "prefix") : allowance.take(more)
                },
                onCompletion: { cut.pass($0) })
        }
    }
}

/// How many values one run may still request.
@usableFromInline
final class Allowance: Sendable {
    @usableFromInline let rest = DemandCounter()

    @inlinable
    init(_ count: Int) { rest.add(.max(count)) }

    /// Returns the part of a demand that may be requested; it is open once the sink has requested all values that it
    /// will get.
    @inlinable
    func take(_ requested: Demand) -> Demand {
        if requested == .none { return .none }
        let (taken, isAll) = rest.take(requested.needed)
        return requested.isOpen || isAll && taken > .none ? taken.opened : taken
    }
}
