import Synchronization

/// Pending demand: it became due inside a drain, and is requested from the upstream once the worker has left.
///
/// A synchronous upstream delivers everything that was requested before the request returns. If it were requested
/// inside the drain, these values would find the drain busy, and an endless upstream would fill the inbox forever.
@usableFromInline
struct PendingDemand: ~Copyable, Sendable {
    @usableFromInline let counter = DemandCounter()

    @inlinable
    init() {}

    /// Adds pending demand, saturating.
    @inlinable
    func add(_ demand: Demand) {
        if demand > .none { counter.add(demand) }
    }

    @inlinable
    func take() -> Demand {
        // Most deliveries add none, and a load is cheaper than an exchange.
        if counter.count.load(ordering: .relaxed) == 0 { return .none }
        return Demand(count: counter.count.exchange(0, ordering: .acquiringAndReleasing))
    }
}
