import Synchronization

/// The outstanding demand of one sink, shared by the thread that delivers and the threads that request.
///
/// `Int.max` means unlimited, and changes only when the counter closes. A negative count means closed, and is final.
/// Deliveries reduce only the bits below `openMark`, so open demand (`Demand.opened`) stays open, even at zero.
@usableFromInline
struct DemandCounter: ~Copyable, Sendable {
    @usableFromInline let count: Atomic<Int>

    @inlinable
    init() { count = Atomic(0) }

    @inlinable
    var isUnlimited: Bool { count.load(ordering: .relaxed) == .max }

    /// Whether a source that cannot wait may deliver more than the demand.
    @inlinable
    var isOpen: Bool { count.load(ordering: .relaxed) >= Demand.openMark }

    /// The mask for the number of values, the bits below `openMark`.
    @inlinable static var number: Int { Demand.openMark - 1 }

    @inlinable
    var isClosed: Bool { count.load(ordering: .relaxed) < 0 }

    /// The current demand: none when closed.
    @inlinable
    var current: Demand { Demand(count: max(0, count.load(ordering: .acquiring))) }

    /// Adds demand, saturating; returns the previous demand, or nil when closed.
    @inlinable
    @discardableResult
    func add(_ demand: Demand) -> Demand? {
        let old = change { (Demand(count: $0) + demand).count }
        return old < 0 ? nil : Demand(count: old)
    }

    /// Subtracts delivered values; returns the remaining demand, none when closed.
    @inlinable
    @discardableResult
    func subtract(_ delivered: Int) -> Demand {
        let old = change { $0 - min($0 & Self.number, delivered) }
        return Demand(count: old == .max ? .max : max(0, old) - min(max(0, old) & Self.number, delivered))
    }

    /// Takes the demand for one value, if any; returns whether a source that cannot wait may deliver the value.
    @inlinable
    func takeOne() -> Bool { isUnlimited || change { Self.takingOne($0) } > 0 }

    /// Takes the demand for one value, if any; returns whether a source that can wait may deliver the value.
    @inlinable @inline(__always)
    func takeNeeded() -> Bool { isUnlimited || change { Self.takingOne($0) } & Self.number > 0 }

    @inlinable @inline(__always)
    static func takingOne(_ count: Int) -> Int? { count & number == 0 ? nil : count - 1 }

    /// Subtracts `demand`, or the rest if that is less; returns the subtracted demand, and whether none remains.
    @inlinable
    func take(_ demand: Demand) -> (taken: Demand, isAll: Bool) {
        var taken = demand.count
        let old = change {
            taken = min($0, demand.count)
            return taken == 0 ? nil : $0 - taken
        }
        return old < 0 ? (.none, false) : (Demand(count: taken), taken == old)
    }

    /// Changes the count, unless it is closed or unlimited, or `new` returns nil; returns the previous count.
    @inlinable @inline(__always)
    func change(_ new: (Int) -> Int?) -> Int {
        var old = count.load(ordering: .relaxed)
        while true {
            if old < 0 || old == .max { return old }
            guard let changed = new(old) else { return old }
            let (exchanged, original) = count.weakCompareExchange(
                expected: old, desired: changed, ordering: .acquiringAndReleasing)
            if exchanged { return old }
            old = original
        }
    }

    /// Closes the counter for good; returns whether this call closed it.
    @inlinable
    @discardableResult
    func close() -> Bool {
        count.exchange(.min, ordering: .acquiringAndReleasing) >= 0
    }
}
