/// A shared signal whose upstream is attached when `connect()` is called, not by a sink.
public struct ConnectableSignal<Value: Sendable, Failure: Error>: Sendable {
    let sharing: Sharing<Value, Failure>

    /// The signal of the shared upstream; attaching it does not connect.
    public var signal: Signal<Value, Failure> {
        Signal(trusted: { [sharing] in sharing.attach($0) })
    }

    /// Attaches the upstream, for all the sinks there are, unless it is attached; the token disconnects.
    ///
    /// After that the sinks stay in place, and the signal can be connected again.
    public func connect() -> SignalToken {
        sharing.connect()
        return SignalToken(onCancel: { [sharing] in sharing.cut() })
    }
}

extension ConnectableSignal {
    /// Returns a signal that connects with its first sink and disconnects when the last of them has left.
    ///
    /// - Delivery: as `share`.
    /// - Failure: the upstream's, to all sinks.
    public func autoconnect() -> Signal<Value, Failure> {
        let automatic = sharing.automatic()
        return Signal(trusted: { automatic.attach($0) })
    }
}
