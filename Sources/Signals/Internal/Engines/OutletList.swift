/// The outlets of a hub, in the order in which they attached.
///
/// An iteration touches no reference count.
///
/// An outlet that detaches is released at once, and its position becomes a gap. Each gap holds the same closed outlet,
/// so that the iteration need not check for gaps. When half of the list is gaps, the list removes them, in amortized
/// constant time for each gap.
///
/// Safe because each pointer is retained when it is added and released when it is removed. Only the worker of the hub's
/// inbox iterates over the list. Only the worker or a call of `quietly` changes the list, so a removal requested during
/// an iteration waits for the iteration to end.
@usableFromInline
struct OutletList<Value: Sendable, Failure: Error> {
    /// An unmanaged reference that the list retains: to the outlet of a sink, or to the outlet that fills a gap.
    @usableFromInline typealias Entry = Unmanaged<Outlet<Value, Failure>>

    @usableFromInline var entries: UnsafeMutablePointer<Entry>
    @usableFromInline var count = 0
    @usableFromInline var capacity = 4
    @usableFromInline var gaps = 0
    /// The outlet that fills the gaps.
    ///
    /// It is unmanaged, because otherwise each iteration would retain it.
    ///
    /// Safe because it is retained when it is made and released by `destroy`.
    @usableFromInline var gap: Entry?

    init() { entries = .allocate(capacity: capacity) }

    /// Frees the list; the hub calls this once, when the hub is released.
    mutating func destroy() {
        for outlet in removeAll() { outlet.release() }
        gap?.release()
        entries.deallocate()
    }

    @inlinable @inline(__always)
    func deliver(_ value: Value) {
        var index = 0
        while index < count {
            entries[index]._withUnsafeGuaranteedRef { $0.deliver(value) }
            index += 1
        }
    }

    @inlinable
    func forEach(_ body: (Outlet<Value, Failure>) -> Void) {
        for index in 0..<count { body(entries[index].takeUnretainedValue()) }
    }

    @inlinable
    mutating func append(_ outlet: Outlet<Value, Failure>) {
        if count == capacity {
            // Safe because the pointers are moved without changing their retain counts.
            let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
            larger.moveInitialize(from: entries, count: count)
            entries.deallocate()
            entries = larger
            capacity *= 2
        }
        outlet.index = count
        (entries + count).initialize(to: .passRetained(outlet))
        count += 1
    }

    @inlinable
    mutating func removeAll() -> [Outlet<Value, Failure>] {
        defer { (count, gaps) = (0, 0) }
        return (0..<count).compactMap { index in
            let outlet = entries[index].takeRetainedValue()
            outlet.index = -1
            return outlet === gap?.takeUnretainedValue() ? nil : outlet
        }
    }

    /// Removes an outlet, unless it was already removed.
    @inlinable
    mutating func remove(_ outlet: Outlet<Value, Failure>) {
        guard outlet.index >= 0 else { return }
        let shared = gap ?? .passRetained(.closed())
        gap = shared
        // Safe because the pointer at this index is the one that was retained for this outlet.
        entries[outlet.index].release()
        entries[outlet.index] = shared.retain()
        outlet.index = -1
        gaps += 1
        if gaps * 2 >= count { closeUp() }
    }

    /// Removes the gaps.
    @inlinable
    mutating func closeUp() {
        var kept = 0
        for entry in UnsafeBufferPointer(start: entries, count: count) {
            if entry.toOpaque() == gap?.toOpaque() {
                // Safe because `remove` has retained the pointer once for each gap.
                entry.release()
            } else {
                entry.takeUnretainedValue().index = kept
                entries[kept] = entry
                kept += 1
            }
        }
        (count, gaps) = (kept, 0)
    }
}
