import Foundation
import Synchronization

@testable import SignalsTesting

/// Threads that meet before and after every round, so that each round is a separate race with its own check.
///
/// Otherwise, the traffic that follows could hide a loss.
final class Rounds: Sendable {
    private let parties: Int
    private let arrived = Atomic(0)
    private let isOver = Atomic(false)
    private let sleepers = Atomic(0)
    private let alarm = NSCondition()

    private init(parties: Int) { self.parties = parties }

    /// Runs `round` on each thread `count` times, and `check` on one thread after each round; ends once `check` fails.
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

    /// Spins until all threads have arrived, so that they leave at the same moment.
    ///
    /// After a while it sleeps, which frees a processor for a thread that has none.
    private func meet(_ meeting: Int) {
        let party = meeting * parties
        if arrived.add(1, ordering: .sequentiallyConsistent).newValue == party { return wakeSleepers() }
        for _ in 0..<2_000 where arrived.load(ordering: .sequentiallyConsistent) >= party { return }
        alarm.lock()
        sleepers.add(1, ordering: .sequentiallyConsistent)
        while arrived.load(ordering: .sequentiallyConsistent) < party { alarm.wait() }
        sleepers.subtract(1, ordering: .sequentiallyConsistent)
        alarm.unlock()
    }

    private func wakeSleepers() {
        guard sleepers.load(ordering: .sequentiallyConsistent) > 0 else { return }
        alarm.lock()
        alarm.broadcast()
        alarm.unlock()
    }
}
