import Synchronization

/// The connection of a run to its upstream.
///
/// It ends the run once, remembers an early cancel, and passes on requests.
///
/// ```
///   waiting ──receive(upstream:)──▶ attached ──end / cancel──▶ closed
///      └────────────── cancel (remembered) ─────────────────────▲
/// ```
/// An upstream references its source, the source references its sink, and the sink references this object. To break
/// this cycle, the upstream is released when the run closes. A request borrows the upstream. After the close, the last
/// borrower to return the upstream releases it.
@usableFromInline
final class Attachment: @unchecked Sendable {
    // Safe because only the caller that sets `claimed` writes `upstream`, before it publishes `attached`. Only callers
    // that `phase` counts as borrowers read it. The last borrower after the close clears it.
    @usableFromInline @exclusivity(unchecked) var upstream: Upstream?
    /// Three flags in the low bits, and the number of borrowers in the bits above.
    @usableFromInline let phase = Atomic<UInt>(0)

    @inlinable static var attached: UInt { 1 }
    @inlinable static var closed: UInt { 2 }
    /// The flag that is set once an upstream has been received.
    @inlinable static var claimed: UInt { 4 }
    @inlinable static var borrower: UInt { 8 }

    @inlinable
    init() {}

    /// Whether no more values may be delivered.
    ///
    /// Reading it takes one relaxed load.
    @inlinable
    var isClosed: Bool { phase.load(ordering: .relaxed) & Self.closed != 0 }

    /// Whether there is an upstream to request from.
    @inlinable
    var isAttached: Bool { phase.load(ordering: .acquiring) & (Self.attached | Self.closed) == Self.attached }

    /// Stores the upstream; returns false if the upstream was cancelled instead.
    ///
    /// A second upstream, or an upstream that arrives after the run was closed, is cancelled at once.
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

    /// Requests more values from the upstream, if it is attached and the run is not closed.
    @inlinable
    func request(_ demand: Demand) {
        if demand > .none { borrow()?.request(demand) }
    }

    /// Returns the upstream if it is attached and the run is not closed.
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

    /// Closes the run because it has ended; returns whether this call closed it.
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

    /// Ends the borrowing of the upstream, and returns the upstream.
    @inlinable
    func giveBack() -> Upstream? {
        let borrowed = upstream
        let (_, now) = phase.wrappingSubtract(Self.borrower, ordering: .acquiringAndReleasing)
        if now & Self.closed != 0, now < Self.borrower { upstream = nil }
        return borrowed
    }
}
