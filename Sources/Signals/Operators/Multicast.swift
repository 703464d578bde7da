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

extension Signal {
    /// Returns a shared signal that waits for `connect()`, so that several sinks can be in place before the first
    /// value.
    ///
    /// ```swift
    /// let numbers = Signal<Int, Never>.sequence(1...2).multicast()
    /// let a = numbers.signal.sink { print("a", $0) }
    /// let b = numbers.signal.sink { print("b", $0) }
    /// let connection = numbers.connect()  // a 1, b 1, a 2, b 2
    /// ```
    ///
    /// - Delivery: what the upstream delivers once it is connected. The upstream is asked for everything; `whenBehind`
    ///   says what is kept for a sink without demand. `share` is the form that connects with its first sink by itself
    ///   (Combine's `multicast` and `autoconnect`).
    /// - Failure: the upstream's, to all sinks.
    public func multicast(whenBehind backlog: Backlog = .drop) -> ConnectableSignal<Value, Failure> {
        ConnectableSignal(sharing: Sharing(self, connectsFirst: false, linger: nil) { Hub(backlog: backlog) })
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
