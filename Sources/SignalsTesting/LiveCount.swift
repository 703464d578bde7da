import Synchronization

/// A thread-safe count that several objects change.
package final class LiveCount: Sendable {
    private let count = Atomic(0)

    package init() {}

    package var current: Int { count.load(ordering: .sequentiallyConsistent) }

    package func add(_ change: Int) { count.add(change, ordering: .sequentiallyConsistent) }
}

/// An object that adds one to a count for as long as it lives.
package final class LiveToken: Sendable {
    private let count: LiveCount

    package init(_ count: LiveCount) {
        self.count = count
        count.add(1)
    }

    deinit { count.add(-1) }
}
