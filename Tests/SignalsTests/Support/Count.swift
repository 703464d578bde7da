import Synchronization

/// A counter that closures increment on any thread.
final class Count: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func raise() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}
