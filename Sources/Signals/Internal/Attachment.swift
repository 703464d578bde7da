import Synchronization

/// The end of a chain: the one place that makes a run end once, that remembers a cancel, and that asks the upstream for
/// more as long as there is one.
///
/// ```
///   waiting ──receive(upstream:)──▶ attached ──end / cancel──▶ closed
///      └────────────── cancel (remembered) ─────────────────────▲
/// ```
/// An upstream refers to its source, which refers to its sink, and so to this: it is let go of when the run closes. Who
/// asks it for more borrows it meanwhile, and the last to give it back after the close lets go of it.
@usableFromInline
final class Attachment: @unchecked Sendable {
    // Safe because `upstream` is written by the one caller that moves `claimed` to true, before it publishes
    // `attached`; it is only read by those who are counted in `phase` as borrowers, and cleared by the last of them
    // once none can come after it.
    @usableFromInline @exclusivity(unchecked) var upstream: Upstream?
    @usableFromInline let claimed = Atomic(false)
    /// Two flags, and above them the number of borrowers.
    @usableFromInline let phase = Atomic<UInt>(0)

    @inlinable static var attached: UInt { 1 }
    @inlinable static var closed: UInt { 2 }
    @inlinable static var borrower: UInt { 4 }

    @inlinable
    init() {}

    /// Whether values may still be delivered; one relaxed load.
    @inlinable
    var isClosed: Bool { phase.load(ordering: .relaxed) & Self.closed != 0 }

    /// Takes the upstream, and returns whether it was taken.
    ///
    /// A second one, or one that comes after a cancel, is cancelled at once.
    @inlinable
    @discardableResult
    func receive(upstream: Upstream) -> Bool {
        if claimed.exchange(true, ordering: .acquiringAndReleasing) {
            upstream.cancel()
            return false
        }
        self.upstream = upstream
        let (published, _) = phase.compareExchange(
            expected: 0, desired: Self.attached, ordering: .acquiringAndReleasing)
        if !published {
            self.upstream = nil
            upstream.cancel()
        }
        return published
    }

    /// Asks the upstream for more, unless there is none yet or none any more.
    @inlinable
    func request(_ demand: Demand) {
        if demand > .none { borrow()?.request(demand) }
    }

    /// The upstream of a run that is attached and not closed.
    @inlinable
    func borrow() -> Upstream? {
        var old = phase.load(ordering: .relaxed)
        while true {
            guard old & (Self.attached | Self.closed) == Self.attached else { return nil }
            let (exchanged, original) = phase.weakCompareExchange(
                expected: old, desired: old + Self.borrower, ordering: .acquiringAndReleasing)
            if exchanged { return giveBack() }
            old = original
        }
    }

    /// Closes because the run ended; returns whether this call did it.
    @inlinable
    func end() -> Bool { close().closed }

    /// Closes and cancels the upstream, if there is one already.
    @inlinable
    func cancel() { close().upstream?.cancel() }

    @inlinable
    func close() -> (closed: Bool, upstream: Upstream?) {
        var old = phase.load(ordering: .relaxed)
        while true {
            if old & Self.closed != 0 { return (false, nil) }
            let isAttached = old & Self.attached != 0
            let (exchanged, original) = phase.weakCompareExchange(
                expected: old, desired: (old | Self.closed) + (isAttached ? Self.borrower : 0),
                ordering: .acquiringAndReleasing)
            if exchanged { return (true, isAttached ? giveBack() : nil) }
            old = original
        }
    }

    /// Ends a borrowing, and returns what was borrowed.
    @inlinable
    func giveBack() -> Upstream? {
        let borrowed = upstream
        let (_, now) = phase.wrappingSubtract(Self.borrower, ordering: .acquiringAndReleasing)
        if now == Self.attached | Self.closed { upstream = nil }
        return borrowed
    }
}
