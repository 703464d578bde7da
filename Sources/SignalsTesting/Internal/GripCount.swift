import Synchronization

/// A count that several owners change.
final class GripCount: Sendable {
    private let count = Atomic(0)

    var current: Int { count.load(ordering: .sequentiallyConsistent) }

    func add(_ change: Int) { count.add(change, ordering: .sequentiallyConsistent) }
}

/// Increments a count for as long as it lives.
final class Grip: Sendable {
    private let count: GripCount

    init(_ count: GripCount) {
        self.count = count
        count.add(1)
    }

    deinit { count.add(-1) }
}
