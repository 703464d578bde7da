/// A recipe for a stream of values that ends with `finished` or a typed failure.
///
/// A signal is cold: building, copying or dropping one does nothing. Each `attach` or `sink` is a run of its own. It
/// is one concrete type, whatever operators made it, so there is nothing to erase.
///
/// ```swift
/// let evens = Signal<Int, Never>.sequence(1...6).filter { $0.isMultiple(of: 2) }
/// let token = evens.sink { print($0) }  // 2 4 6
/// ```
@frozen
public struct Signal<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let attachment: @Sendable (Sink<Value, Failure>) -> Void
    /// The value, when the signal is known to be one value and nothing else: `flatMap` then needs no child for it.
    @usableFromInline let single: Value?

    /// Makes a signal of a source that keeps the contract by itself.
    @inlinable
    package init(
        trusted attachment: @escaping @Sendable (Sink<Value, Failure>) -> Void, single: Value? = nil
    ) {
        self.attachment = attachment
        self.single = single
    }

    /// Makes a signal of a hand-written source, which is called once for each sink.
    ///
    /// The source is fenced: whatever it does, its sink sees one upstream first, no more values than it asked for,
    /// none at a time when another is being delivered, one end, and nothing after the end or after cancelling. What
    /// the fence holds back goes to `DiscardHook`.
    ///
    /// ```swift
    /// let answer = Signal<Int, Never> { sink in
    ///     sink.receive(upstream: Upstream(
    ///         request: { _ in
    ///             _ = sink.receive(42)
    ///             sink.receive(completion: .finished)
    ///         },
    ///         cancel: {}))
    /// }
    /// let token = answer.sink { print($0) }  // 42
    /// ```
    public init(_ attach: @escaping @Sendable (Sink<Value, Failure>) -> Void) {
        self.init(trusted: { sink in attach(Fence(sink).sink) })
    }

    /// Starts a run of the signal into a sink.
    @inlinable
    public func attach(_ sink: Sink<Value, Failure>) { attachment(sink) }

    /// Returns a signal whose sinks are wrapped by `stage`: an operator is a function from the sink after it to the
    /// sink before it.
    ///
    /// The sink that `stage` returns is trusted to keep the contract given that the one it was handed does.
    ///
    /// ```swift
    /// extension Signal where Value == Int {
    ///     func doubled() -> Signal<Int, Failure> {
    ///         lift { next in Sink(passingTo: next, onValue: { next.receive($0 * 2) }) }
    ///     }
    /// }
    /// let token = Signal<Int, Never>.just(21).doubled().sink { print($0) }  // 42
    /// ```
    @inlinable
    public func lift<Output, Other: Error>(
        _ stage: @escaping @Sendable (Sink<Output, Other>) -> Sink<Value, Failure>
    ) -> Signal<Output, Other> {
        Signal<Output, Other>(trusted: { [attachment] sink in attachment(stage(sink)) })
    }
}
