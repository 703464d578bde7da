import Synchronization

/// One run of an operator that accumulates a whole stream into one value: `reduce`, `collect`, `count`, `last` and the
/// like.
///
/// Once the sink has requested the value, unlimited demand is requested from the upstream. The value is delivered as
/// soon as both the sink's request and the result have arrived.
@usableFromInline
final class Folding<State, Output, Failure: Error>: @unchecked Sendable {
    // Safe because `state` and `result` are used only inside deliveries to the stage, which never overlap (Contract.md,
    // S7), and by the thread that sets the second of the two flags `requested` and `known`.
    @usableFromInline @exclusivity(unchecked) var state: State
    /// The holder of the upstream.
    ///
    /// It releases the upstream at every end of the run, because the upstream references this stage.
    @usableFromInline let attachment = Attachment()
    private var result: Output?
    private var next: Sink<Output, Failure>?
    private let flags = Atomic<UInt8>(0)

    private static var requested: UInt8 { 1 }
    private static var known: UInt8 { 2 }
    private static var closed: UInt8 { 4 }

    @usableFromInline
    init(_ next: Sink<Output, Failure>, _ state: State) {
        self.next = next
        self.state = state
    }

    /// Records the sink's request; delivers the result if it is known; returns whether to request from the upstream.
    @usableFromInline
    func noteRequest() -> Bool {
        let old = flags.bitwiseOr(Self.requested, ordering: .acquiringAndReleasing).oldValue
        if old == Self.known { deliver() }
        return old == 0
    }

    @usableFromInline
    func cancel() {
        flags.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing)
        attachment.cancel()
    }

    /// Ends the run with its one value, or without a value; with `cancelling`, also cancels the upstream.
    @usableFromInline
    func finish(with output: Output?, cancelling: Bool = false) {
        if cancelling { attachment.cancel() } else { _ = attachment.end() }
        guard let output else {
            end(.finished)
            return
        }
        result = output
        if flags.bitwiseOr(Self.known, ordering: .acquiringAndReleasing).oldValue == Self.requested { deliver() }
    }

    /// Passes on the failure of the upstream.
    @usableFromInline
    func fail(_ failure: Failure) {
        _ = attachment.end()
        end(.failure(failure))
    }

    /// Cancels the upstream and fails with the error that a closure threw, unless the sink has cancelled.
    @usableFromInline
    func stop(throwing failure: Failure, stage: StaticString) {
        attachment.cancel()
        if !end(.failure(failure)) { DiscardHook.report(failure, .afterEnd, stage: stage) }
    }

    private func deliver() {
        guard let output = result.take(), let next else { return }
        _ = next.receive(output)
        end(.finished)
    }

    @discardableResult
    private func end(_ completion: Completion<Failure>) -> Bool {
        let old = flags.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).oldValue
        guard old < Self.closed else { return false }
        let next = next.take()
        next?.receive(completion: completion)
        return true
    }
}

extension Signal {
    /// Returns a signal that accumulates all values into a state, from which `output` makes the one value at the end.
    ///
    /// An error that `onValue` throws cancels the upstream and fails the run; after a cancel, the error goes to
    /// `DiscardHook`, with `stage` as the name of the stage. If `onValue` cannot throw, this handling costs nothing.
    @inlinable @inline(__always)
    func fold<State: Sendable, Output>(
        _ initial: State, stage: StaticString = "reduce",
        onValue: @escaping @Sendable (Folding<State, Output, Failure>, Value) throws(Failure) -> Void,
        output: @escaping @Sendable (State) -> Output?
    ) -> Signal<Output, Failure> {
        lift { next in
            let folding = Folding<State, Output, Failure>(next, initial)
            return Sink(
                // Not a method of `Folding`, because after one more call the compiler would not fuse the stages.
                onUpstream: { upstream in
                    guard folding.attachment.receive(upstream: upstream) else { return }
                    next.receive(
                        upstream: Upstream(
                            request: { if $0.needed > .none, folding.noteRequest() { upstream.request(.unlimited) } },
                            cancel: { folding.cancel() }))
                },
                onValue: { value in
                    do throws(Failure) {
                        try onValue(folding, value)
                    } catch {
                        folding.stop(throwing: error, stage: stage)
                    }
                    return .none
                },
                onCompletion: { completion in
                    switch completion {
                    case .finished: folding.finish(with: output(folding.state))
                    case .failure(let failure): folding.fail(failure)
                    }
                })
        }
    }

    /// Returns a signal of the best value.
    ///
    /// A value replaces the best value so far if `isBetter` returns true.
    @inlinable @inline(__always)
    func keep(
        stage: StaticString, replacingIf isBetter: @escaping @Sendable (Value, Value) throws(Failure) -> Bool
    ) -> Signal {
        fold(
            Value?.none, stage: stage,
            onValue: { folding, value throws(Failure) in
                if let best = folding.state, try !isBetter(best, value) { return }
                folding.state = value
            },
            output: { $0 })
    }
}
