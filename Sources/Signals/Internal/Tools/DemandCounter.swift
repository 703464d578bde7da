import Synchronization

/// The outstanding demand of one sink, shared by the thread that delivers and the threads that request.
///
/// `Int.max` is unlimited and stays so. A negative count means closed, and stays so.
@usableFromInline
struct DemandCounter: ~Copyable, Sendable {
    @usableFromInline let count: Atomic<Int>

    @inlinable
    init() { count = Atomic(0) }

    @inlinable
    var isUnlimited: Bool { count.load(ordering: .relaxed) == .max }

    @inlinable
    var isClosed: Bool { count.load(ordering: .relaxed) < 0 }

    /// The current demand: none when closed.
    @inlinable
    var current: Demand { Demand(count: max(0, count.load(ordering: .acquiring))) }

    /// Adds demand, saturating; returns what was outstanding before, or nil when closed.
    @inlinable
    @discardableResult
    func add(_ demand: Demand) -> Demand? {
        var old = count.load(ordering: .relaxed)
        while true {
            if old < 0 { return nil }
            if old == .max { return .unlimited }
            let sum = (Demand(count: old) + demand).count
            let (exchanged, original) = count.weakCompareExchange(
                expected: old, desired: sum, ordering: .acquiringAndReleasing)
            if exchanged { return Demand(count: old) }
            old = original
        }
    }

    /// Subtracts what was delivered; returns what is left, none when closed.
    @inlinable
    @discardableResult
    func subtract(_ delivered: Int) -> Demand {
        var old = count.load(ordering: .relaxed)
        while true {
            if old < 0 { return .none }
            if old == .max { return .unlimited }
            let rest = max(0, old - delivered)
            let (exchanged, original) = count.weakCompareExchange(
                expected: old, desired: rest, ordering: .acquiringAndReleasing)
            if exchanged { return Demand(count: rest) }
            old = original
        }
    }

    /// Takes one value's worth, if there is any.
    @inlinable
    func takeOne() -> Bool {
        var old = count.load(ordering: .relaxed)
        while true {
            if old <= 0 { return false }
            if old == .max { return true }
            let (exchanged, original) = count.weakCompareExchange(
                expected: old, desired: old - 1, ordering: .acquiringAndReleasing)
            if exchanged { return true }
            old = original
        }
    }

    /// Takes as much of a demand as there is.
    @inlinable
    func take(_ demand: Demand) -> Demand {
        var old = count.load(ordering: .relaxed)
        while true {
            let taken = Swift.min(max(0, old), demand.count)
            if taken == 0 || old == .max { return Demand(count: taken) }
            let (exchanged, original) = count.weakCompareExchange(
                expected: old, desired: old - taken, ordering: .acquiringAndReleasing)
            if exchanged { return Demand(count: taken) }
            old = original
        }
    }

    /// Closes for good; returns whether this call did it.
    @inlinable
    @discardableResult
    func close() -> Bool {
        count.exchange(.min, ordering: .acquiringAndReleasing) >= 0
    }
}
