/// The consumer of a signal: it receives the signal's upstream, values and end.
///
/// A sink consists of three closures rather than an object, so that the compiler can fuse the sinks of stateless stages
/// into one loop if it sees the whole chain. A source first calls the sink once with the upstream. It then delivers at
/// most the requested values, one at a time, and at most one completion.
///
/// ```swift
/// let printer = Sink<Int, Never>(
///     onUpstream: { $0.request(.max(2)) },
///     onValue: { print($0); return .none },
///     onCompletion: { _ in print("end") })
/// Signal<Int, Never>.sequence(1...3).attach(printer)  // 1 2
/// ```
@frozen
public struct Sink<Value, Failure: Error>: Sendable {
    @usableFromInline package let onUpstream: @Sendable (Upstream) -> Void
    @usableFromInline package let onValue: @Sendable (Value) -> Demand
    @usableFromInline package let onCompletion: @Sendable (Completion<Failure>) -> Void
    /// The `Arbiter` and the final sink of the run, if this sink belongs to the last of several consecutive signals.
    @usableFromInline let tail: Tail<Value, Failure>?
    /// Whether the sink makes a single request, for unlimited demand, inside `onUpstream`.
    ///
    /// A source that makes its values on request can then deliver them after `onUpstream` has returned, not inside the
    /// request. The request's closure then need not retain the sink, so a chain that the compiler sees as a whole needs
    /// no allocation.
    @usableFromInline let requestsAllAtOnce: Bool

    /// Creates a sink; `onValue` returns the demand to add to earlier requests.
    @inlinable
    public init(
        onUpstream: @escaping @Sendable (Upstream) -> Void,
        onValue: @escaping @Sendable (Value) -> Demand,
        onCompletion: @escaping @Sendable (Completion<Failure>) -> Void
    ) {
        self.init(onUpstream: onUpstream, onValue: onValue, onCompletion: onCompletion, requestsAllAtOnce: false)
    }

    @inlinable
    init(
        onUpstream: @escaping @Sendable (Upstream) -> Void,
        onValue: @escaping @Sendable (Value) -> Demand,
        onCompletion: @escaping @Sendable (Completion<Failure>) -> Void,
        tail: Tail<Value, Failure>? = nil, requestsAllAtOnce: Bool = false
    ) {
        self.onUpstream = onUpstream
        self.onValue = onValue
        self.onCompletion = onCompletion
        self.tail = tail
        self.requestsAllAtOnce = requestsAllAtOnce
    }

    /// Creates the sink of a stage that handles values itself and passes the upstream and the end to `next` unchanged.
    @inlinable
    public init<Output>(
        passingTo next: Sink<Output, Failure>, onValue: @escaping @Sendable (Value) -> Demand
    ) {
        self.init(passingTo: next, onValue: onValue, onCompletion: next.onCompletion)
    }

    /// Creates the sink of a stage that handles values and the end itself and passes only the upstream to `next`.
    @inlinable
    public init<Output, Other: Error>(
        passingTo next: Sink<Output, Other>,
        onValue: @escaping @Sendable (Value) -> Demand,
        onCompletion: @escaping @Sendable (Completion<Failure>) -> Void
    ) {
        self.init(
            onUpstream: next.onUpstream, onValue: onValue, onCompletion: onCompletion,
            requestsAllAtOnce: next.requestsAllAtOnce)
    }

    // The next functions are always inlined, because a call from generic code would first look up the metadata of the
    // sink's type.

    /// Gives the sink its upstream; a source calls this once, before any other call.
    @inlinable @inline(__always)
    public func receive(upstream: Upstream) { onUpstream(upstream) }

    /// Delivers a value and returns the demand that the sink adds.
    @inlinable @inline(__always)
    public func receive(_ value: Value) -> Demand { onValue(value) }

    /// Delivers the end; this is the last call that a source makes.
    @inlinable @inline(__always)
    public func receive(completion: Completion<Failure>) { onCompletion(completion) }
}
