// Streams, from top to bottom:
//
//   Bridges/              Combine, and `AsyncSequence`
//   Operators/ Creating/  one file for each operator, and each way to make a signal
//   Subjects/             sources that a program sends values into
//   Schedulers/           queues and timers; the only files that import Dispatch
//   (this folder)         `Signal`, `Sink` and `Upstream`, which connects them
//   Internal/Engines/     what several operators share: buffers, fan-in, sharing
//   Internal/Kernels/     what engines share: outboxes, executors, the state of an attachment
//   Internal/Tools/       locks, rings, counters

/// A recipe for a stream of values that ends with `finished` or a typed failure.
///
/// A signal is cold: building, copying or dropping one does nothing. Each `attach` or `sink` starts its own run. All
/// operators return this one concrete type, so there is no type to erase.
///
/// ```swift
/// let evens = Signal<Int, Never>.sequence(1...6).filter { $0.isMultiple(of: 2) }
/// let token = evens.sink { print($0) }  // 2 4 6
/// for await even in evens.values { print(even) }  // 2 4 6
/// let first = await evens.value()
/// print(first as Any)  // Optional(2)
/// ```
///
/// To run a signal, attach a sink, loop over its `values`, or wait for its first `value()`. It is not an
/// `AsyncSequence` itself: calls of `map` and other operators would be ambiguous.
@frozen
public struct Signal<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let attachment: @Sendable (Sink<Value, Failure>) -> Void
    /// The value of a signal that is known to deliver exactly one: `flatMap` then needs no child for it.
    @usableFromInline let single: Value?

    /// Creates a signal from a source that keeps the contract by itself.
    @inlinable
    package init(
        trusted attachment: @escaping @Sendable (Sink<Value, Failure>) -> Void, single: Value? = nil
    ) {
        self.attachment = attachment
        self.single = single
    }

    /// Creates a signal from a hand-written source, which is called once for each sink.
    ///
    /// A fence enforces the contract, whatever the source does: the sink receives one upstream first, then at most the
    /// values that it requested, one at a time, and then one end. Nothing follows the end or a cancel. Values and
    /// failures that the fence drops are reported to `DiscardHook`.
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
    ///
    /// The upstream that the sink receives releases the run when the run is over, so the sink may keep it. Once a
    /// cancel has returned, nothing more arrives on that thread, even while another thread is still cancelling.
    @inlinable
    public func attach(_ sink: Sink<Value, Failure>) {
        let end = Attachment()
        run(
            into: Sink(
                onUpstream: { upstream in
                    guard end.receive(upstream: upstream) else { return }
                    sink.receive(upstream: Upstream(request: { end.request($0) }, cancel: { end.cancel() }))
                },
                onValue: { end.isClosed ? .none : sink.receive($0) },
                onCompletion: { if end.end() { sink.receive(completion: $0) } }))
    }

    /// Starts a run of the signal into a sink that releases its upstream by itself.
    @inlinable
    package func run(into sink: Sink<Value, Failure>) { attachment(sink) }

    /// Returns a signal whose sinks are wrapped by `stage`: an operator is a function from the downstream sink to the
    /// upstream sink.
    ///
    /// The sink that `stage` returns is not fenced: it must keep the contract, as long as the sink passed to `stage`
    /// does.
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
