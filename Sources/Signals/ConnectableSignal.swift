/// A shared signal whose upstream is attached by `connect()`, not by the first sink.
public struct ConnectableSignal<Value: Sendable, Failure: Error>: Sendable {
    let sharing: Sharing<Value, Failure>

    /// The signal of the shared upstream; attaching to it does not connect.
    public var signal: Signal<Value, Failure> { sharing.signal }

    /// Attaches the upstream, for all sinks, unless it is already attached; the token disconnects.
    ///
    /// After disconnecting, the sinks stay attached, and the signal can be connected again. A token belongs to one
    /// connection: it ends when the upstream ends, or when another token of the same connection is cancelled, and does
    /// not affect later connections.
    public func connect() -> SignalToken { SignalToken(sharing.connect()) }
}

extension ConnectableSignal {
    /// Returns a signal that connects with its first sink and disconnects when the last one detaches.
    ///
    /// - Delivery: as `share`.
    /// - Failure: the upstream's, to all sinks.
    public func autoconnect() -> Signal<Value, Failure> { sharing.automatic().signal }
}
