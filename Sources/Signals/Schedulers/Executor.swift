import Dispatch

/// Does work in the order of the calls, one piece at a time or as many as stated, on threads of its own.
///
/// To wake a thread costs more than to read an item or to change one. So what becomes due in a piece of work is
/// delivered by its own thread once that has found no more work and has left the executor, unless sinks block as many
/// of these threads as the executor is wide.
package final class Executor: Sendable {
    package typealias Work = @Sendable () -> Void

    fileprivate struct State {
        var waiting = RingBuffer<Work>()
        /// How many threads work, those that have been called and are not there yet included.
        var working = 0
        var delivering = 0
    }

    /// The clock of all executors that have no other.
    package static let clock = DispatchQueue(label: "Signals.executor.clock")

    /// Held by each piece of work of an executor that does one at a time.
    package let confinement = Confinement()
    private let state = Lock(State())
    private let width: Int
    private let threads: Threads
    private let clock: any SignalScheduler

    package init(label: String, width: Int = 1, clock: any SignalScheduler = Executor.clock) {
        (self.width, self.clock) = (max(1, width), clock)
        // Those that work, and those that deliver what they have done.
        threads = Threads(label: label, limit: 2 * self.width)
    }

    /// Calls a sink: inside a piece of work once the thread has left its executor, elsewhere on a delivery thread.
    package static func deliver(_ delivery: @escaping Work) {
        guard let context = ThreadContext.working else { return Delivery.schedule(delivery) }
        Delivery.schedule(context.delivery)
        context.delivery = delivery
    }

    /// Hands over what the current piece of work has made due: called before it goes on with something long.
    package static func flush() {
        Delivery.schedule(ThreadContext.working?.delivery.take())
    }

    /// Does work, on this very thread if it waits for something and there is room.
    package func submit(_ work: @escaping Work) {
        guard ThreadContext.isWaiting, state.withLock({ $0.enter(width) }) else { return async(work) }
        // The run that the thread waits for is held, and delivers to itself; this delivery is another run's.
        Delivery.schedule(doHere(work))
    }

    /// Does work on the calling thread, inside what it does for another executor; false where there is no room.
    package func tryHere(_ work: () -> Void) -> Bool {
        guard state.withLock({ $0.enter(width) }) else { return false }
        Delivery.schedule(doHere(work))
        return true
    }

    /// Does work on a thread of the executor.
    package func async(_ work: @escaping Work) {
        let mayStart = state.withLock { state in
            state.waiting.append(work)
            return state.enter(width)
        }
        if mayStart { threads.async { self.serve() } }
    }

    package func async(after pause: Duration, _ work: @escaping Work) {
        // The work keeps its timer until it has run or the clock has released it.
        let timer = Lock<SignalToken?>(nil)
        let token = clock.schedule(after: pause) {
            withExtendedLifetime(timer) { self.async(work) }
        }
        timer.withLock { $0 = token }
    }

    package func async(at time: DispatchTime, _ work: @escaping Work) {
        Self.clock.asyncAfter(deadline: time) { self.async(work) }
    }

    /// The time by the executor's clock, since a point that the clock chooses.
    package var now: Duration { clock.now }

    /// Does work on the calling thread, and leaves the work that waits then to the executor's threads.
    private func doHere(_ work: () -> Void) -> Work? {
        let delivery = perform(work)
        let isLeft = state.withLock { state in
            if state.waiting.isEmpty { state.working -= 1 }
            return !state.waiting.isEmpty
        }
        if isLeft { threads.async { self.serve() } }
        return delivery
    }

    /// Returns the delivery that is to be made now; see `ThreadContext.work`.
    private func perform(_ work: () -> Void) -> Work? {
        #if DEBUG
            if width == 1 { return confinement.during { ThreadContext.work(work) } }
        #endif
        return ThreadContext.work(work)
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

extension Executor.State {
    /// Counts one more thread that works, if there is room.
    fileprivate mutating func enter(_ width: Int) -> Bool {
        guard working < width else { return false }
        working += 1
        return true
    }

    /// Takes the next piece of work; without one, a thread stops working.
    fileprivate mutating func take() -> Executor.Work? {
        if let work = waiting.popFirst() { return work }
        working -= 1
        return nil
    }
}
