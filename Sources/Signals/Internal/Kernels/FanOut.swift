import Synchronization

/// The delivery of one value to many sinks.
///
/// To wake a thread costs more than to call a sink, and threads that share the work get in each other's way. So one
/// thread calls one sink after another. When it takes long, because a sink is slow or blocks, others take over what is
/// left: a clock looks after what is being delivered, and adds a thread to a walk in which it finds no progress, or for
/// which a processor may be free.
package final class FanOut: Sendable {
    private static let watching = Lock(Watching())

    /// What the clock looks after.
    private struct Watching {
        var walks: [Watched] = []
        /// It stays set when the last walk ends: stopping it each time costs more than one wake for nothing.
        var isClockSet = false
    }

    /// A walk, and what the clock saw of it.
    private struct Watched {
        let walk: FanOut
        var position = 0
        var threads = 1
    }

    private let followers: ContiguousArray<LatestOutbox>
    private let letter: any LatestSource.Letter
    private let changes: Int
    /// How many of the followers have been taken.
    private let position = Atomic(0)

    init(_ followers: ContiguousArray<LatestOutbox>, _ letter: any LatestSource.Letter, _ changes: Int) {
        (self.followers, self.letter, self.changes) = (followers, letter, changes)
    }

    /// Has the value delivered by delivery threads.
    package func schedule() {
        Delivery.schedule { self.run() }
    }

    /// Delivers the value where sinks may be called, and returns when all of them have it or another thread does it.
    package func run() {
        guard followers.count > 2 else {
            // A thread for each of a few is what the clock would come to.
            for _ in followers.dropLast() { Delivery.schedule { self.walk(atMost: 1) } }
            return walk(atMost: 1)
        }
        let isFirst = Self.watching.withLock { watching in
            watching.walks.append(Watched(walk: self))
            defer { watching.isClockSet = true }
            return !watching.isClockSet
        }
        if isFirst { Self.setClock() }
        walk()
        let ended = Self.watching.withLock { watching -> Watched? in
            watching.walks.firstIndex { $0.walk === self }.map { watching.walks.remove(at: $0) }
        }
        withExtendedLifetime(ended) {}
    }

    private func walk(atMost limit: Int = .max) {
        for _ in 0..<limit {
            let index = position.add(1, ordering: .relaxed).oldValue
            guard index < followers.count else { return }
            followers[index].offer(letter, changes)
        }
    }

    private static func setClock() {
        Delivery.note(afterMilliseconds: 1) { look() }
    }

    private static func look() {
        let (late, ended, isToGoOn) = watching.withLock { watching in
            let ended = watching.walks.filter { $0.walk.isTaken }
            watching.walks.removeAll { $0.walk.isTaken }
            var late: [FanOut] = []
            for index in watching.walks.indices {
                let position = watching.walks[index].walk.position.load(ordering: .relaxed)
                if position == watching.walks[index].position || watching.walks[index].threads < Delivery.processors {
                    late.append(watching.walks[index].walk)
                    watching.walks[index].threads += 1
                }
                watching.walks[index].position = position
            }
            watching.isClockSet = !watching.walks.isEmpty
            return (late, ended, watching.isClockSet)
        }
        withExtendedLifetime(ended) {}
        for walk in late { Delivery.schedule { walk.walk() } }
        if isToGoOn { setClock() }
    }

    /// Whether a thread has taken the last of the followers.
    private var isTaken: Bool { position.load(ordering: .relaxed) >= followers.count }
}
