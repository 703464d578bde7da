import Dispatch
import Signals

/// Does work in the order of the calls, one piece at a time or as many as stated, on threads of its own.
///
/// To wake a thread costs more than to read an item or to change one. So a thread that finds no more work is done with
/// the queue, and delivers the last result itself, unless sinks block as many of these threads as the queue is wide.
package final class WorkQueue: Sendable {
    /// Returns the delivery of its result, if that is due: it is made when the queue has been left.
    package typealias Work = @Sendable () -> (@Sendable () -> Void)?

    fileprivate struct State {
        var waiting = RingBuffer<Work>()
        /// How many threads work, those that have been called and are not there yet included.
        var working = 0
        var delivering = 0
    }

    /// The clock of all queues that have no other.
    package static let clock = DispatchQueue(label: "SignalRepository.clock")

    /// Held by each piece of work of a queue that does one at a time.
    package let confinement = Confinement()
    private let state = Lock(State())
    private let width: Int
    private let threads: Threads
    private let clock: any SignalScheduler

    package init(label: String, width: Int = 1, clock: any SignalScheduler = WorkQueue.clock) {
        (self.width, self.clock) = (max(1, width), clock)
        // Those that work, and those that deliver what they have done.
        threads = Threads(label: label, limit: 2 * self.width)
    }

    /// Does work whose result is delivered afterwards; on this very thread if it waits for it and there is room.
    ///
    /// What is not `ownResult`, but that of others, is then left to the delivery queue.
    func submit(ownResult: Bool = true, _ work: @escaping Work) {
        guard ThreadRole.current == .waiting, state.withLock({ $0.enter(width) }) else { return enqueue(work) }
        let delivery = doHere(work)
        if ownResult { delivery?() } else { Delivery.schedule(delivery) }
    }

    /// Does work on the calling thread, if there is room, and returns its delivery, for when that thread has left its
    /// own queue; where there is no room, `later` waits in line.
    func submitHere(_ work: Work, orLater later: @escaping Work) -> (@Sendable () -> Void)? {
        if state.withLock({ $0.enter(width) }) { return doHere(work) }
        enqueue(later)
        return nil
    }

    package func async(_ work: @escaping @Sendable () -> Void) {
        enqueue {
            work()
            return nil
        }
    }

    package func async(after pause: Duration, _ work: @escaping @Sendable () -> Void) {
        // The work keeps its timer until it has run or the clock has released it.
        let timer = Lock<SignalToken?>(nil)
        let token = clock.schedule(after: pause) {
            withExtendedLifetime(timer) { self.async(work) }
        }
        timer.withLock { $0 = token }
    }

    /// The time by the queue's clock, since a point that the clock chooses.
    var now: Duration { clock.now }

    package func enqueue(at time: DispatchTime, _ work: @escaping Work) {
        Self.clock.asyncAfter(deadline: time) { self.enqueue(work) }
    }

    /// Does work whose result is delivered afterwards, on a thread of the queue's.
    package func enqueue(_ work: @escaping Work) {
        let mayStart = state.withLock { state in
            state.waiting.append(work)
            return state.enter(width)
        }
        if mayStart { threads.async { self.serve() } }
    }

    /// Does work on the calling thread; what others submitted meanwhile is left to the queue's.
    private func doHere(_ work: Work) -> (@Sendable () -> Void)? {
        let delivery = perform(work)
        let isLeft = state.withLock { state in
            if state.waiting.isEmpty { state.working -= 1 }
            return !state.waiting.isEmpty
        }
        if isLeft { threads.async { self.serve() } }
        return delivery
    }

    private func perform(_ work: Work) -> (@Sendable () -> Void)? {
        #if DEBUG
            if width == 1 { return confinement.during { ThreadRole.database.during(work) } }
        #endif
        return ThreadRole.database.during(work)
    }

    /// Does what waits until there is nothing left.
    private func serve() {
        var next = state.withLock { $0.take() }
        while let work = next {
            let delivery = perform(work)
            let isHere = state.withLock { state in
                next = state.take()
                guard next == nil, delivery != nil, state.delivering < width else { return false }
                state.delivering += 1
                return true
            }
            if isHere {
                delivery?()
                state.withLock { $0.delivering -= 1 }
            } else {
                Delivery.schedule(delivery)
            }
        }
    }
}

extension WorkQueue.State {
    /// Counts one more thread that works, if there is room.
    fileprivate mutating func enter(_ width: Int) -> Bool {
        guard working < width else { return false }
        working += 1
        return true
    }

    /// Takes the next piece of work; without one, a thread stops working.
    fileprivate mutating func take() -> WorkQueue.Work? {
        if let work = waiting.popFirst() { return work }
        working -= 1
        return nil
    }
}
