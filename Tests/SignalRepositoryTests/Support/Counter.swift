import Synchronization

/// Counts from any thread.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    @discardableResult
    func add() -> Int {
        count.add(1, ordering: .acquiringAndReleasing).newValue
    }
}
