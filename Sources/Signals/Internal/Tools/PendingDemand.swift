import Synchronization

/// Demand that becomes due while a worker, the thread that processes events, is inside a `Drain`.
///
/// The worker requests this demand from the upstream after leaving the drain.
///
/// A synchronous upstream delivers all requested values before the request returns. If the worker made the request
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
        // Most deliveries add no demand, and a load is cheaper than an exchange.
        if counter.count.load(ordering: .relaxed) == 0 { return .none }
        return Demand(count: counter.count.exchange(0, ordering: .acquiringAndReleasing))
    }
}
