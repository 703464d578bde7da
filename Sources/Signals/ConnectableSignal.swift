/// A shared signal whose upstream is attached by `connect()`, not by the first sink.
public struct ConnectableSignal<Value: Sendable, Failure: Error>: Sendable {
    let sharing: Sharing<Value, Failure>

    /// The signal of the shared upstream; attaching a sink to it does not attach the upstream.
    public var signal: Signal<Value, Failure> { sharing.signal }

    /// Attaches the upstream for all sinks, unless it is already attached; cancelling the token detaches the upstream.
    ///
    /// After a disconnect, the sinks stay attached, and the signal can be connected again. A token belongs to one
    /// connection. It ends when the upstream ends, or when another token of the same connection is cancelled. It does
    /// not affect later connections.
    public func connect() -> SignalToken { SignalToken(sharing.connect()) }
}

extension ConnectableSignal {
    /// Returns a signal that connects when its first sink attaches, and disconnects when its last sink detaches.
    ///
    /// - Delivery: the same as for `share`.
    /// - Failure: the upstream's, to all sinks.
    public func autoconnect() -> Signal<Value, Failure> { sharing.automatic().signal }
}
