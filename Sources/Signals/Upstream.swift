/// What a sink is given to ask for values, and to stop them.
///
/// Both calls may come from any thread, at any time, also from inside a delivery. A request inside a delivery is
/// answered after that delivery has returned, by the loop that made it, so it never nests. Cancelling never blocks,
/// and cancelling twice is cancelling once.
@frozen
public struct Upstream: Sendable {
    @usableFromInline let onRequest: @Sendable (Demand) -> Void
    @usableFromInline let onCancel: @Sendable () -> Void

    /// Makes the upstream of a source from what it does when asked and when cancelled.
    @inlinable
    public init(request: @escaping @Sendable (Demand) -> Void, cancel: @escaping @Sendable () -> Void) {
        self.onRequest = request
        self.onCancel = cancel
    }

    /// Asks for more values; requests add up, and `.none` does nothing.
    @inlinable
    public func request(_ demand: Demand) {
        if demand > .none { onRequest(demand) }
    }

    /// Stops the source and has it release what it holds.
    @inlinable
    public func cancel() { onCancel() }
}
