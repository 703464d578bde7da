import Synchronization

/// One run of an operator that accumulates a whole stream into one value: `reduce`, `collect`, `count`, `last` and the
/// like.
///
/// Unlimited demand is requested from the upstream once the sink has requested the one value. Whichever comes second,
/// the request or the result, triggers the delivery.
@usableFromInline
final class Folding<State, Output, Failure: Error>: @unchecked Sendable {
    // Safe because `state` and `result` are used inside deliveries to the stage, which never overlap (S7), and by the
    // thread that set the second of the two flags, after the first was set.
    @usableFromInline @exclusivity(unchecked) var state: State
    /// Releases the upstream, which references its source and so this stage, whichever way the run ends.
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

    /// Notes the sink's request, and delivers the result if it is known; returns whether to request from the upstream.
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

    /// Ends the run with its one value, or with none; the upstream is cancelled if it has not ended by itself.
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
    /// Accumulates all values into the state of a `Folding`, from which `output` makes the one value at the end.
    ///
    /// An error thrown by `onValue` cancels the upstream and fails the run. An error after a cancel is reported under
    /// the name `stage`. If `onValue` cannot throw, this costs nothing.
    @inlinable @inline(__always)
    func fold<State: Sendable, Output>(
        _ initial: State, stage: StaticString = "reduce",
        onValue: @escaping @Sendable (Folding<State, Output, Failure>, Value) throws(Failure) -> Void,
        output: @escaping @Sendable (State) -> Output?
    ) -> Signal<Output, Failure> {
        lift { next in
            let folding = Folding<State, Output, Failure>(next, initial)
            return Sink(
                // Written out here: one call deeper, and the compiler would no longer fuse the chain above into a loop.
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

    /// Keeps the first value, until a better one replaces it.
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
