import Foundation
import Synchronization

@testable import SignalsTesting

/// Threads that meet before and after every round, so that each round is a race of its own and is compared by itself.
///
/// What a race has lost would otherwise be made up for by the traffic that follows.
final class Rounds: Sendable {
    private let parties: Int
    private let arrived = Atomic(0)
    private let isOver = Atomic(false)

    private init(parties: Int) { self.parties = parties }

    /// Runs `round` on each thread, `count` times, and `check` on one of them after each; ends when that says false.
    static func run(
        _ count: Int, threads: Int = 2, _ round: @escaping @Sendable (_ thread: Int, _ round: Int) -> Void,
        check: @escaping @Sendable (_ round: Int) -> Bool
    ) -> Bool {
        let rounds = Rounds(parties: threads)
        return onThreads(threads) { thread in
            for number in 0..<count {
                round(thread, number)
                rounds.meet(number * 2 + 1)
                if thread == 0 && !check(number) { rounds.isOver.store(true, ordering: .sequentiallyConsistent) }
                rounds.meet(number * 2 + 2)
                if rounds.isOver.load(ordering: .sequentiallyConsistent) { return }
            }
        }
    }

    /// Spins until all have come, so that they leave at the same moment.
    private func meet(_ meeting: Int) {
        arrived.add(1, ordering: .acquiringAndReleasing)
        var spins = 0
        while arrived.load(ordering: .acquiring) < meeting * parties {
            spins += 1
            if spins.isMultiple(of: 200) { sched_yield() }
        }
    }
}
