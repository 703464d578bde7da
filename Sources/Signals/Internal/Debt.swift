import Synchronization

/// Demand that came up inside a drain and is asked of the upstream once the worker has left it.
///
/// A synchronous upstream answers a request by delivering, as much as was asked, before the request returns. Asked
/// from inside the drain, it would find the drain busy, and an endless one would fill the inbox for ever.
@usableFromInline
struct Debt: ~Copyable, Sendable {
    @usableFromInline let owed = Atomic(0)

    @inlinable
    init() {}

    /// Adds to what is owed, saturating.
    @inlinable
    func add(_ demand: Demand) {
        if demand == .none { return }
        var old = owed.load(ordering: .relaxed)
        while true {
            let (exchanged, original) = owed.weakCompareExchange(
                expected: old, desired: (Demand(count: old) + demand).count, ordering: .acquiringAndReleasing)
            if exchanged { return }
            old = original
        }
    }

    /// Takes all that is owed.
    @inlinable
    func take() -> Demand {
        // Most deliveries leave none behind, and a load is cheaper than an exchange.
        if owed.load(ordering: .relaxed) == 0 { return .none }
        return Demand(count: owed.exchange(0, ordering: .acquiringAndReleasing))
    }
}
