/// The outlets of a hub, in the order in which they attached, to be walked without a reference count being touched.
///
/// Safe because each pointer was retained when it was added and is released when it is removed, and because only the
/// worker of the hub's drain walks or changes the list, never both at a time: a removal asked for during a walk waits
/// for its end.
@usableFromInline
struct OutletList<Value: Sendable, Failure: Error> {
    @usableFromInline var places: UnsafeMutablePointer<Unmanaged<Outlet<Value, Failure>>>
    @usableFromInline var count = 0
    private var capacity = 4
    private var closed = 0

    init() { places = .allocate(capacity: capacity) }

    /// Frees the list; its hub calls this once, when nobody can send any more.
    mutating func destroy() {
        for outlet in removeAll() { outlet.release() }
        places.deallocate()
    }

    @inlinable @inline(__always)
    func offer(_ value: Value) {
        var index = 0
        while index < count {
            places[index]._withUnsafeGuaranteedRef { $0.offer(value) }
            index += 1
        }
    }

    mutating func append(_ outlet: Outlet<Value, Failure>) {
        if count == capacity {
            // Safe because the pointers move, retained as they are.
            let larger = UnsafeMutablePointer<Unmanaged<Outlet<Value, Failure>>>.allocate(capacity: capacity * 2)
            larger.moveInitialize(from: places, count: count)
            places.deallocate()
            places = larger
            capacity *= 2
        }
        (places + count).initialize(to: .passRetained(outlet))
        count += 1
    }

    /// Takes all out.
    mutating func removeAll() -> [Outlet<Value, Failure>] {
        defer { count = 0 }
        return (0..<count).map { places[$0].takeRetainedValue() }
    }

    /// Removes the closed outlets, once half of all are: constant time for each of them on average.
    mutating func sweep(after outlet: Outlet<Value, Failure>) {
        closed += 1
        guard closed * 2 >= count else { return }
        closed = 0
        let all = removeAll()
        for outlet in all where !outlet.demand.isClosed { append(outlet) }
    }
}
