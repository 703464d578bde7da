import Dispatch
import Foundation
import Signals
import Synchronization

/// The deliveries of one value to many sinks.
///
/// To wake a thread costs more than to call a sink, and threads that share the work get in each other's way. So one
/// thread calls one sink after another. When it takes long, because a sink is slow or blocks, others take over what is
/// left: a clock looks after what is being delivered, and adds a thread to a round in which it finds no progress, or
/// for which a processor may be free.
final class DeliveryRound: Sendable {
    private static let clock = DispatchQueue(label: "SignalRepository.delivery.clock")
    private static let pause = DispatchTimeInterval.milliseconds(2)
    private static let processors = ProcessInfo.processInfo.activeProcessorCount
    /// The rounds that the clock looks after; it rests while there are none.
    private static let running = Lock([Watched]())

    /// A round, and what the clock saw of it.
    private struct Watched {
        let round: DeliveryRound
        var count = 0
        var threads = 1
    }

    // Of a known type: one that had to be asked for at each step would take several times as long.
    private let mailboxes: [Mailbox<LatestValue>]
    /// How many mailboxes have been taken.
    private let count = Atomic<Int>(0)

    private init(_ mailboxes: [Mailbox<LatestValue>]) { self.mailboxes = mailboxes }

    /// Begins to deliver mailboxes that are due, and returns what one thread has to do of it, off the database queues.
    static func begin(_ mailboxes: [Mailbox<LatestValue>]) -> (@Sendable () -> Void)? {
        guard let last = mailboxes.last else { return nil }
        // A thread for each of a few is what the clock would come to.
        guard mailboxes.count > 2 else {
            mailboxes.dropLast().forEach { $0.schedule() }
            return { last.deliver() }
        }
        let round = DeliveryRound(mailboxes)
        let isFirst = running.withLock { running in
            running.append(Watched(round: round))
            return running.count == 1
        }
        if isFirst { clock.asyncAfter(deadline: .now() + pause) { look() } }
        return { round.deliver() }
    }

    private func deliver() {
        while true {
            let index = count.add(1, ordering: .relaxed).oldValue
            guard index < mailboxes.count else { return }
            mailboxes[index].deliver()
        }
    }

    private static func look() {
        let (late, isOver) = running.withLock { running in
            running.removeAll { $0.round.isTaken }
            var late: [DeliveryRound] = []
            for index in running.indices {
                let count = running[index].round.count.load(ordering: .relaxed)
                if count == running[index].count || running[index].threads < processors {
                    late.append(running[index].round)
                    running[index].threads += 1
                }
                running[index].count = count
            }
            return (late, running.isEmpty)
        }
        for round in late { Delivery.schedule { round.deliver() } }
        if !isOver { clock.asyncAfter(deadline: .now() + pause) { look() } }
    }

    /// Whether a thread has taken the last of the mailboxes.
    private var isTaken: Bool { count.load(ordering: .relaxed) >= mailboxes.count }
}
