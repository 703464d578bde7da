// The folders of this module, from the top layer to the bottom:
//
//   Bridges/              Combine, `AsyncSequence`, tasks and actors
//   Operators/ Creating/  one file for each operator, and each way to make a signal
//   Subjects/             sources to which a program sends values
//   Schedulers/           queues and timers; the only files that import Dispatch
//   (this folder)         `Signal`, `Sink`, and `Upstream`, which connects a sink to its source
//   Internal/Engines/     code that several operators share: buffers, fan-in, sharing
//   Internal/Kernels/     code that engines share: inboxes, outboxes, the state of an attachment
//   Internal/Tools/       locks, ring buffers, counters

/// A recipe for a stream of values that ends with `finished` or a typed failure.
///
/// A signal is cold: building, copying or dropping it does nothing. Each `attach` or `sink` starts its own run. All
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
/// To run a signal, attach a sink, loop over its `values`, or wait for its first `value()`. A signal is not itself an
/// `AsyncSequence`, because calls of `map` and other operators would then be ambiguous.
@frozen
public struct Signal<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let attachment: @Sendable (Sink<Value, Failure>) -> Void
    /// The value of a signal known to deliver exactly one value; nil for other signals.
    ///
    /// `flatMap` delivers this value without running the signal.
    @usableFromInline let single: Value?

    /// Creates a signal from a source that keeps the contract of streams by itself; no `Fence` checks this source.
    @inlinable
    package init(
        trusted attachment: @escaping @Sendable (Sink<Value, Failure>) -> Void, single: Value? = nil
    ) {
        self.attachment = attachment
        self.single = single
    }

    /// Creates a signal from a hand-written source, a closure that is called once for each sink.
    ///
    /// A fence between the source and the sink enforces the contract of streams. The sink receives one upstream first,
    /// then at most as many values as it requested, one at a time, and then one end. Nothing follows the end or a
    /// cancel. The fence reports values and failures that it drops to `DiscardHook`.
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

    /// Runs the signal and delivers its upstream, values and end to a sink.
    ///
    /// At the end of the run, the upstream releases everything that belongs to the run, so the sink may keep its
    /// upstream. Once a cancel has returned on a thread, nothing more arrives on that thread, even while another thread
    /// is still cancelling.
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

    /// Runs the signal for a sink that itself releases its upstream when the run is over.
    @inlinable
    package func run(into sink: Sink<Value, Failure>) { attachment(sink) }

    /// Returns a signal that applies `stage` to each of its sinks.
    ///
    /// `stage` turns a sink of the new signal into a sink for this signal.
    ///
    /// No fence (see `init(_:)`) checks the sink that `stage` returns. That sink must keep the contract of streams,
    /// provided that the sink passed to `stage` keeps it.
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
