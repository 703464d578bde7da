import Synchronization

/// The delivery of one value to many sinks.
///
/// Waking a thread costs more than calling a sink, and threads that share the work contend. So one thread calls the
/// sinks, one after another, in a walk. If a sink is slow or blocks, other threads call the remaining sinks. A clock
/// checks all walks at each tick. It adds a thread to a walk that has made no progress. If a processor may be free, it
/// also adds a thread to a walk that has made little progress.
package final class FanOut: Sendable {
    private static let watching = Lock(Watching())
    /// The number of sinks per tick below which a walk gets another thread.
    private static let expectedPerTick = 1_000
    /// The greatest number of sinks that get a thread each instead of a walk.
    static let unsharedLimit = 2

    private struct Watching {
        var walks: [Watched] = []
        /// Whether the clock is set.
        ///
        /// It ticks once more after the last walk, because stopping it after each walk would cost more.
        var isClockSet = false
    }

    /// A walk, and its progress at the last tick.
    private struct Watched {
        let walk: FanOut
        var position = 0
        var threads = 1
    }

    private let followers: ContiguousArray<LatestOutbox>
    private let box: any LatestSource.Box
    private let version: Int
    private let source: LatestSource
    /// Whether `claim()` has returned true for each follower, which then fetches the value itself.
    private let areClaimed: Bool
    /// The index of the next follower that a thread of the walk takes.
    private let position = Atomic(0)

    init(
        _ followers: ContiguousArray<LatestOutbox>, _ box: any LatestSource.Box, _ version: Int,
        of source: LatestSource, areClaimed: Bool
    ) {
        (self.followers, self.source, self.areClaimed) = (followers, source, areClaimed)
        (self.box, self.version) = (box, version)
    }

    package func schedule() { Delivery.schedule { self.run() } }

    package func deliver() { Executor.deliver { self.run() } }

    /// Delivers the value; called on a thread that may call sinks.
    ///
    /// Returns when no follower is left for this thread.
    package func run() {
        if areClaimed {
            for follower in followers.dropLast() { Delivery.schedule { follower.run() } }
            followers.last?.run()
            return
        }
        let mustSetClock = Self.watching.withLock { watching in
            watching.walks.append(Watched(walk: self))
            defer { watching.isClockSet = true }
            return !watching.isClockSet
        }
        if mustSetClock { Self.setClock() }
        walk()
        let ended = Self.watching.withLock { watching -> Watched? in
            watching.walks.firstIndex { $0.walk === self }.map { watching.walks.remove(at: $0) }
        }
        withExtendedLifetime(ended) {}
    }

    private func walk() {
        // Retaining each follower, which this loop avoids, would take a tenth of the time of a delivery.
        followers.withUnsafeBytes { followers in
            // Safe because the array retains the followers during the walk.
            let followers = followers.assumingMemoryBound(to: Unmanaged<LatestOutbox>.self)
            while true {
                let index = position.add(1, ordering: .relaxed).oldValue
                guard index < followers.count else { return }
                // Safe because the array retains the follower.
                followers[index]._withUnsafeGuaranteedRef { $0.tryDeliver(box, version, of: source) }
            }
        }
    }

    private static func setClock() {
        Delivery.after(milliseconds: 1) { checkProgress() }
    }

    private static func checkProgress() {
        let (late, ended, hasWalks) = watching.withLock { watching in
            let ended = watching.walks.filter { $0.walk.isTaken }
            watching.walks.removeAll { $0.walk.isTaken }
            var late: [FanOut] = []
            for index in watching.walks.indices {
                let position = watching.walks[index].walk.position.load(ordering: .relaxed)
                let progress = position - watching.walks[index].position
                watching.walks[index].position = position
                let useful = progress == 0 ? Delivery.limit : progress < expectedPerTick ? Delivery.processors : 1
                guard watching.walks[index].threads < useful else { continue }
                late.append(watching.walks[index].walk)
                watching.walks[index].threads += 1
            }
            watching.isClockSet = !watching.walks.isEmpty
            return (late, ended, watching.isClockSet)
        }
        withExtendedLifetime(ended) {}
        for walk in late { Delivery.schedule { walk.walk() } }
        if hasWalks { setClock() }
    }

    /// Whether a thread has taken the last follower.
    private var isTaken: Bool { position.load(ordering: .relaxed) >= followers.count }
}
