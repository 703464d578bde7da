import Synchronization

/// The delivery of one value to many sinks.
///
/// To wake a thread costs more than to call a sink, and threads that share the work get in each other's way. So one
/// thread calls one sink after another. When it takes long, because a sink is slow or blocks, others take over what is
/// left: a clock looks after what is being delivered, and adds a thread to a walk in which it finds no progress, or
/// little, if a processor may be free.
package final class FanOut: Sendable {
    private static let watching = Lock(Watching())
    /// How many sinks are few in a millisecond: each then works for longer than it takes to share them.
    private static let fewSinks = 1_000

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

    /// For each of a few, a thread is what the clock would come to.
    static let few = 2

    private let followers: ContiguousArray<LatestOutbox>
    /// Nil if the followers are claimed, and look for the value themselves.
    private let letter: (any LatestSource.Letter)?
    private let changes: Int
    /// How many of the followers have been taken.
    private let position = Atomic(0)

    init(_ followers: ContiguousArray<LatestOutbox>, _ letter: any LatestSource.Letter, _ changes: Int) {
        (self.followers, self.letter, self.changes) = (followers, letter, changes)
    }

    /// The delivery to a few, who are claimed for it; nil if there is none.
    init?(claimed followers: ContiguousArray<LatestOutbox>) {
        if followers.isEmpty { return nil }
        (self.followers, letter, changes) = (followers, nil, 0)
    }

    /// Has the value delivered by delivery threads.
    package func schedule() {
        Delivery.schedule { self.run() }
    }

    /// Delivers the value where sinks may be called, and returns when all of them have it or another thread does it.
    package func run() {
        guard let letter else {
            for follower in followers.dropLast() { Delivery.schedule { follower.run() } }
            followers.last?.run()
            return
        }
        let isFirst = Self.watching.withLock { watching in
            watching.walks.append(Watched(walk: self))
            defer { watching.isClockSet = true }
            return !watching.isClockSet
        }
        if isFirst { Self.setClock() }
        walk(letter)
        let ended = Self.watching.withLock { watching -> Watched? in
            watching.walks.firstIndex { $0.walk === self }.map { watching.walks.remove(at: $0) }
        }
        withExtendedLifetime(ended) {}
    }

    private func walk(_ letter: any LatestSource.Letter) {
        // Retaining each would take a tenth of a delivery.
        followers.withUnsafeBytes { followers in
            // Safe because the array keeps them for as long.
            let followers = followers.assumingMemoryBound(to: Unmanaged<LatestOutbox>.self)
            while true {
                let index = position.add(1, ordering: .relaxed).oldValue
                guard index < followers.count else { return }
                // Safe because of the same.
                followers[index]._withUnsafeGuaranteedRef { $0.offer(letter, changes) }
            }
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
                let progress = position - watching.walks[index].position
                watching.walks[index].position = position
                let isFree = watching.walks[index].threads < Delivery.processors
                guard progress == 0 || progress < Self.fewSinks && isFree else { continue }
                late.append(watching.walks[index].walk)
                watching.walks[index].threads += 1
            }
            watching.isClockSet = !watching.walks.isEmpty
            return (late, ended, watching.isClockSet)
        }
        withExtendedLifetime(ended) {}
        for walk in late { Delivery.schedule { walk.letter.map { walk.walk($0) } } }
        if isToGoOn { setClock() }
    }

    /// Whether a thread has taken the last of the followers.
    private var isTaken: Bool { position.load(ordering: .relaxed) >= followers.count }
}
