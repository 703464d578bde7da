import Synchronization

/// The end of a chain: it ends a run once, remembers a cancel, and requests from the upstream while there is one.
///
/// ```
///   waiting ──receive(upstream:)──▶ attached ──end / cancel──▶ closed
///      └────────────── cancel (remembered) ─────────────────────▲
/// ```
/// An upstream references its source, which references its sink, and so this object: it is released when the run
/// closes. A request borrows the upstream, and the last borrower to return it after the close releases it.
@usableFromInline
final class Attachment: @unchecked Sendable {
    // Safe because `upstream` is written by the one caller that sets `claimed`, before it publishes `attached`; it is
    // only read by callers that `phase` counts as borrowers, and cleared by the last of them once no more can come.
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

    /// Whether no more values may be delivered; one relaxed load.
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

    /// Requests more from the upstream, while it is attached.
    @inlinable
    func request(_ demand: Demand) {
        if demand > .none { borrow()?.request(demand) }
    }

    /// Returns the upstream of a run that is attached and not closed.
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

    /// Closes the run because it ended; returns whether this call did it.
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

    /// Ends a borrowing, and returns the borrowed upstream.
    @inlinable
    func giveBack() -> Upstream? {
        let borrowed = upstream
        let (_, now) = phase.wrappingSubtract(Self.borrower, ordering: .acquiringAndReleasing)
        if now & Self.closed != 0, now < Self.borrower { upstream = nil }
        return borrowed
    }
}
