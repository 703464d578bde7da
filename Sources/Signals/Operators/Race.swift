import Synchronization

extension Signal {
    /// Returns a signal that follows the first of several signals to deliver or end, and cancels the other signals.
    ///
    /// ```swift
    /// let mirrors = [Signal<String, Never>.never(), .just("fast")]
    /// let token = Signal.race(mirrors).sink { print($0) }  // fast
    /// ```
    ///
    /// - Delivery: the same as for the winner, the first signal to deliver or end. Until there is a winner, the
    ///   operator requests the sink's demand from every signal.
    /// - Failure: the winner's. A signal that fails before any other signal delivers or ends is the winner.
    public static func race(_ signals: [Signal]) -> Signal {
        if signals.isEmpty { return .empty() }
        return Signal(trusted: { next in
            let contest = Contest(next, entrants: signals.count)
            next.receive(
                upstream: Upstream(request: { contest.request($0) }, cancel: { contest.cancel() }))
            for (number, signal) in signals.enumerated() where contest.isOpen {
                signal.run(into: contest.sink(of: number))
            }
        })
    }

    /// Returns a signal that follows this signal or one of the others, whichever delivers or ends first, and cancels
    /// the rest.
    ///
    /// - Delivery: the same as for `Signal.race`.
    /// - Failure: the winner's.
    public func race(with others: Signal...) -> Signal { .race([self] + others) }

    /// Applies `race(with:)` with other signals that cannot fail.
    ///
    /// - Failure: this signal's, if this signal wins.
    @_disfavoredOverload
    public func race(with others: Signal<Value, Never>...) -> Signal {
        .race([self] + others.map { $0.setFailureType(to: Failure.self) })
    }
}

extension Signal where Failure == Never {
    /// Applies `race(with:)` to a signal that cannot fail, with other signals that can fail.
    ///
    /// - Failure: the winner's.
    @_disfavoredOverload
    public func race<Other: Error>(with others: Signal<Value, Other>...) -> Signal<Value, Other> {
        .race([setFailureType(to: Other.self)] + others)
    }
}

/// One run of `race`.
///
/// Each signal of the race is an entrant. Its `Arbiter` keeps the sink's demand until its upstream has arrived.
private final class Contest<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Safe because `next` is constant, and `winner` decides once which entrant may use it.
    private let next: Sink<Value, Failure>
    private let entrants: [Arbiter]
    private let winner = Atomic(-1)

    init(_ next: Sink<Value, Failure>, entrants: Int) {
        self.next = next
        self.entrants = (0..<entrants).map { _ in Arbiter() }
    }

    /// Whether an entrant may still win: none has won yet, and the sink has not cancelled.
    var isOpen: Bool { winner.load(ordering: .acquiring) < 0 && entrants.allSatisfy { !$0.isCancelled } }

    func request(_ demand: Demand) {
        let won = winner.load(ordering: .acquiring)
        if won >= 0 { return entrants[won].request(demand) }
        // If another thread decides the winner during this loop, every entrant still gets the request, but only the
        // winner delivers.
        for entrant in entrants { entrant.request(demand) }
    }

    func cancel() {
        for entrant in entrants { entrant.cancel() }
    }

    func sink(of number: Int) -> Sink<Value, Failure> {
        let arbiter = entrants[number]
        return Sink(
            onUpstream: { arbiter.receive(upstream: $0) },
            onValue: { self.wins(number) ? arbiter.delivered(adding: self.next.receive($0)) : .none },
            onCompletion: { completion in
                guard self.wins(number) else { return DiscardHook.report(late: completion, stage: "race") }
                arbiter.dropUpstream()
                self.next.receive(completion: completion)
            })
    }

    private func wins(_ number: Int) -> Bool {
        let (isFirst, won) = winner.compareExchange(
            expected: -1, desired: number, ordering: .acquiringAndReleasing)
        if !isFirst { return won == number && !entrants[number].isCancelled }
        for (other, arbiter) in entrants.enumerated() where other != number { arbiter.cancel() }
        return !entrants[number].isCancelled
    }
}
