/// What a sink is given to request values, and to cancel.
///
/// Both calls may come from any thread, at any time, even from inside a delivery. A request inside a delivery is served
/// after that delivery has returned, by the loop that made it, so it never recurses. Cancelling never blocks, and
/// cancelling twice is the same as cancelling once.
@frozen
public struct Upstream: Sendable {
    @usableFromInline let onRequest: @Sendable (Demand) -> Void
    @usableFromInline let onCancel: @Sendable () -> Void

    /// Creates the upstream of a source from what it does when requested from and when cancelled.
    @inlinable
    public init(request: @escaping @Sendable (Demand) -> Void, cancel: @escaping @Sendable () -> Void) {
        self.onRequest = request
        self.onCancel = cancel
    }

    /// Requests more values; requests add up, and `.none` does nothing.
    @inlinable
    public func request(_ demand: Demand) {
        if demand > .none { onRequest(demand) }
    }

    /// Stops the source and makes it release what it holds.
    @inlinable
    public func cancel() { onCancel() }
}
