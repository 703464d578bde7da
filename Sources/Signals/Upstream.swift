/// The handle through which a sink requests values and cancels.
///
/// A sink may call `request(_:)` and `cancel()` on any thread, at any time, even inside a delivery. If a sink requests
/// inside a delivery, the loop that delivers serves the request after that delivery has returned, so requests never
/// recurse. Cancelling never blocks, and a second cancel has no effect.
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

    /// Stops the source, which then releases what it holds.
    @inlinable
    public func cancel() { onCancel() }
}
