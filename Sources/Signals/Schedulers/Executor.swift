import Dispatch

/// A queue that runs work in order, up to `width` pieces at a time, on its own threads.
///
/// Waking a thread costs more than reading or changing an item. So a delivery that becomes due in a piece of work runs
/// on the same thread, once that has found no more work and has left the executor. If sinks already block `width` of
/// these threads, a delivery thread runs it instead.
package final class Executor: Sendable {
    package typealias Work = @Sendable () -> Void

    fileprivate struct State {
        var waiting = RingBuffer<Work>()
        /// The number of threads that work, including those that were woken and have not started yet.
        var working = 0
        var delivering = 0
    }

    /// The default clock of an executor.
    package static let clock = DispatchQueue(label: "Signals.executor.clock")

    /// Held by each piece of work, if the executor runs one at a time.
    package let confinement = Confinement()
    private let state = Lock(State())
    private let width: Int
    private let threads: Threads
    private let clock: any SignalScheduler

    package init(label: String, width: Int = 1, clock: any SignalScheduler = Executor.clock) {
        (self.width, self.clock) = (max(1, width), clock)
        // While `width` threads work, as many may still deliver.
        threads = Threads(label: label, limit: 2 * self.width)
    }

    /// Runs a delivery: inside a piece of work, once the thread has left its executor; elsewhere, on a delivery thread.
    package static func deliver(_ delivery: @escaping Work) {
        guard let context = ThreadContext.working else { return Delivery.schedule(delivery) }
        Delivery.schedule(context.delivery)
        context.delivery = delivery
    }

    /// Hands the delivery that the current piece of work made due to a delivery thread; called before something long.
    package static func flush() {
        Delivery.schedule(ThreadContext.working?.delivery.take())
    }

    /// Runs work, on the calling thread if it waits for a result and there is room.
    package func submit(_ work: @escaping Work) {
        guard ThreadContext.isWaiting, state.withLock({ $0.enter(width) }) else { return async(work) }
        // The run that the thread waits for is held, and delivered by the thread: this delivery is another run's.
        Delivery.schedule(runInline(work))
    }

    /// Runs work on the calling thread, inside its work for another executor; false if there is no room.
    package func tryOnThisThread(_ work: () -> Void) -> Bool {
        guard state.withLock({ $0.enter(width) }) else { return false }
        Delivery.schedule(runInline(work))
        return true
    }

    /// Runs work on a thread of the executor.
    package func async(_ work: @escaping Work) {
        let mayStart = state.withLock { state in
            state.waiting.append(work)
            return state.enter(width)
        }
        if mayStart { threads.async { self.serve() } }
    }

    package func async(after pause: Duration, _ work: @escaping Work) {
        // The work retains the token of its timer: releasing that would cancel the timer.
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

    /// Runs work on the calling thread, and leaves work that waits afterwards to the executor's threads.
    private func runInline(_ work: () -> Void) -> Work? {
        let delivery = perform(work)
        let isLeft = state.withLock { state in
            if state.waiting.isEmpty { state.working -= 1 }
            return !state.waiting.isEmpty
        }
        if isLeft { threads.async { self.serve() } }
        return delivery
    }

    /// Runs work, and returns the delivery that it made due; see `ThreadContext.work`.
    private func perform(_ work: () -> Void) -> Work? {
        #if DEBUG
            if width == 1 { return confinement.during { ThreadContext.work(work) } }
        #endif
        return ThreadContext.work(work)
    }

    /// Runs the waiting work until none is left.
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
    /// Counts one more working thread, if there is room.
    fileprivate mutating func enter(_ width: Int) -> Bool {
        guard working < width else { return false }
        working += 1
        return true
    }

    /// Takes the next piece of work; if there is none, counts one working thread less.
    fileprivate mutating func take() -> Executor.Work? {
        if let work = waiting.popFirst() { return work }
        working -= 1
        return nil
    }
}
