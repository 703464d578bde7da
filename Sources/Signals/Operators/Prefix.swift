extension Signal {
    /// Returns a signal that delivers the first `count` values, then cancels its upstream and finishes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...).prefix(3).sink { print($0) }  // 1 2 3
    /// ```
    ///
    /// - Delivery: at most `count` values, on the upstream's thread; the signal finishes right after the last of them.
    ///   The operator requests at most `count` values from a source that can wait, such as a sequence. Once the sink
    ///   has requested `count` values, a source that cannot wait, such as a `Broadcast`, may send more. Such a source
    ///   could otherwise lose values: if a `filter` after `receive(on:)` drops a value, its request for another one
    ///   comes late. With a count of zero, the signal finishes at once and never attaches the upstream.
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
                    // The count is reduced before the delivery, so that a value sent from inside the delivery finds the
                    // reduced count.
                    let isLast = cut.state == 0
                    let more = next.receive(value)
                    return isLast ? cut.end(.finished, stage: "prefix") : allowance.take(more)
                },
                onCompletion: { cut.pass($0) })
        }
    }
}

/// The number of values that one run of `prefix` may still request from its upstream.
@usableFromInline
final class Allowance: Sendable {
    @usableFromInline let rest = DemandCounter()

    @inlinable
    init(_ count: Int) { rest.add(.max(count)) }

    /// Returns the part of a demand to request from the upstream.
    ///
    /// If `requested` is open or uses up the allowance, the part is open demand, which a source that cannot wait may
    /// exceed.
    @inlinable
    func take(_ requested: Demand) -> Demand {
        if requested == .none { return .none }
        let (taken, isAll) = rest.take(requested.needed)
        return requested.isOpen || isAll && taken > .none ? taken.opened : taken
    }
}
