import Synchronization

/// The end of a chain: the one place that makes a run end once, and that remembers a cancel.
///
/// ```
///   waiting ──receive(upstream:)──▶ attached ──end / cancel──▶ closed
///      └────────────── cancel (remembered) ─────────────────────▲
/// ```
@usableFromInline
final class Attachment: @unchecked Sendable {
    // Safe because `upstream` is written by the one caller that moves `claimed` to true, before it publishes
    // `attached`, and read only by the one that moves `attached` to `closed`.
    @usableFromInline @exclusivity(unchecked) var upstream: Upstream?
    @usableFromInline let claimed = Atomic(false)
    @usableFromInline let phase = Atomic<UInt8>(0)

    @inlinable static var waiting: UInt8 { 0 }
    @inlinable static var attached: UInt8 { 1 }
    @inlinable static var closed: UInt8 { 2 }

    @inlinable
    init() {}

    /// Whether values may still be delivered; one relaxed load.
    @inlinable
    var isClosed: Bool { phase.load(ordering: .relaxed) == Self.closed }

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
            expected: Self.waiting, desired: Self.attached, ordering: .acquiringAndReleasing)
        if !published {
            self.upstream = nil
            upstream.cancel()
        }
        return published
    }

    /// Closes because the run ended; returns whether this call did it.
    @inlinable
    func end() -> Bool { close().closed }

    /// Closes and cancels the upstream, if there is one already.
    @inlinable
    func cancel() { close().upstream?.cancel() }

    @inlinable
    func close() -> (closed: Bool, upstream: Upstream?) {
        let old = phase.exchange(Self.closed, ordering: .acquiringAndReleasing)
        return (old != Self.closed, old == Self.attached ? upstream.take() : nil)
    }
}
