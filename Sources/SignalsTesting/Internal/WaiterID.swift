import Synchronization

/// Numbers for waiting tasks, so that one of them can be told to give up.
enum WaiterID {
    private static let last = Atomic(0)

    static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
