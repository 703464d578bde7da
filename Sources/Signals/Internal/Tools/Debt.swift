import Synchronization

/// Demand that became due inside a drain and is requested from the upstream once the worker has left.
///
/// A synchronous upstream serves a request by delivering, as much as was requested, before the request returns. If
/// requested from inside the drain, it would find the drain busy, and an endless upstream would fill the inbox forever.
@usableFromInline
struct Debt: ~Copyable, Sendable {
    @usableFromInline let owed = DemandCounter()

    @inlinable
    init() {}

    /// Adds to what is owed, saturating.
    @inlinable
    func add(_ demand: Demand) {
        if demand > .none { owed.add(demand) }
    }

    @inlinable
    func take() -> Demand {
        // Most deliveries leave none behind, and a load is cheaper than an exchange.
        if owed.count.load(ordering: .relaxed) == 0 { return .none }
        return Demand(count: owed.count.exchange(0, ordering: .acquiringAndReleasing))
    }
}
