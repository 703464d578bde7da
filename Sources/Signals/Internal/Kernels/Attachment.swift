import Synchronization

/// The end of a chain: the one place that makes a run end once, that remembers a cancel, and that requests more from
/// the upstream as long as there is one.
///
/// ```
///   waiting ──receive(upstream:)──▶ attached ──end / cancel──▶ closed
///      └────────────── cancel (remembered) ─────────────────────▲
/// ```
/// An upstream references its source, which references its sink, and so this: it is released when the run closes. A
/// request borrows it meanwhile, and the last borrower to return it after the close releases it.
@usableFromInline
final class Attachment: @unchecked Sendable {
    // Safe because `upstream` is written by the one caller that sets `claimed`, before it publishes
    // `attached`; it is only read by those who are counted in `phase` as borrowers, and cleared by the last of them
    // once no more can come.
    @usableFromInline @exclusivity(unchecked) var upstream: Upstream?
    /// Three flags, and above them the number of borrowers.
    @usableFromInline let phase = Atomic<UInt>(0)

    @inlinable static var attached: UInt { 1 }
    @inlinable static var closed: UInt { 2 }
    /// Whether an upstream has been received.
    @inlinable static var claimed: UInt { 4 }
    @inlinable static var borrower: UInt { 8 }

    @inlinable
    init() {}

    /// Whether values may still be delivered; one relaxed load.
    @inlinable
    var isClosed: Bool { phase.load(ordering: .relaxed) & Self.closed != 0 }

    /// Whether there is an upstream to request from.
    @inlinable
    var isAttached: Bool { phase.load(ordering: .acquiring) & (Self.attached | Self.closed) == Self.attached }

    /// Takes the upstream, and returns whether it was taken.
    ///
    /// A second one, or one that arrives after a cancel, is cancelled at once.
    @inlinable
    @discardableResult
    func receive(upstream: Upstream) -> Bool {
        var (old, now) = phase.bitwiseOr(Self.claimed, ordering: .acquiringAndReleasing)
        if old & Self.claimed != 0 {
            upstream.cancel()
            return false
        }
        self.upstream = upstream
        while now & Self.closed == 0 {
            let (exchanged, original) = phase.weakCompareExchange(
                expected: now, desired: now | Self.attached, ordering: .acquiringAndReleasing)
            if exchanged { return true }
            now = original
        }
        self.upstream = nil
        upstream.cancel()
        return false
    }

    /// Requests more from the upstream, unless there is none yet or no longer one.
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
        if now & Self.closed != 0, now < Self.borrower { upstream = nil }
        return borrowed
    }
}
