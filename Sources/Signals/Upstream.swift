/// The handle through which a sink requests values and cancels.
///
/// Both may be called on any thread, at any time, even inside a delivery. The loop that delivers serves a request from
/// inside a delivery once that delivery has returned, so it never recurses. Cancelling never blocks, and a second
/// cancel has no effect.
@frozen
public struct Upstream: Sendable {
    @usableFromInline let onRequest: @Sendable (Demand) -> Void
    @usableFromInline let onCancel: @Sendable () -> Void

    /// Creates an upstream from closures that handle a request and a cancel.
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
