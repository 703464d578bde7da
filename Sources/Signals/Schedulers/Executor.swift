import Dispatch

/// A queue that runs work in order, up to `width` pieces at a time, on its own threads.
///
/// Work may produce a delivery, a closure that calls sinks. If no more work is waiting, the thread that ran the work
/// also runs the delivery, because waking another thread costs more than reading or changing a row of a store. If more
/// work is waiting, or if `width` threads already run deliveries, a `Delivery` thread runs it.
package final class Executor: Sendable {
    package typealias Work = @Sendable () -> Void

    fileprivate struct State {
        var waiting = RingBuffer<Work>()
        /// The number of threads that run work, including threads that were woken but have not started yet.
        var working = 0
        var delivering = 0
    }

    /// The default clock of an executor.
    package static let clock = DispatchQueue(label: "Signals.executor.clock")

    /// The confinement that each piece of work holds in debug builds, if `width` is one, so that callees can assert it.
    package let confinement = Confinement()
    private let state = Lock(State())
    private let width: Int
    private let threads: Threads
    private let clock: any SignalScheduler

    package init(label: String, width: Int = 1, clock: any SignalScheduler = Executor.clock) {
        (self.width, self.clock) = (max(1, width), clock)
        // Up to `width` threads run work, and up to `width` other threads run deliveries.
        threads = Threads(label: label, limit: 2 * self.width)
    }

    /// Runs a delivery: the last delivery of a piece of work after that work, any other one on a `Delivery` thread.
    package static func deliver(_ delivery: @escaping Work) {
        guard let context = ThreadContext.working else { return Delivery.schedule(delivery) }
        Delivery.schedule(context.delivery)
        context.delivery = delivery
    }

    /// Passes the pending delivery of the current work to a `Delivery` thread, so that a long step does not delay it.
    package static func flush() {
        Delivery.schedule(ThreadContext.working?.delivery.take())
    }

    /// Runs work on the calling thread if that thread waits for a result and fewer than `width` threads run work.
    ///
    /// Otherwise, a thread of the executor runs the work.
    package func submit(_ work: @escaping Work) {
        guard ThreadContext.isWaiting, state.withLock({ $0.enter(width) }) else { return async(work) }
        // Only this thread delivers to the sink of the run that it waits for. The delivery that `work` produces is for
        // another run, so another thread can perform it.
        Delivery.schedule(runInline(work))
    }

    /// Tries to run work on this thread, even inside other work; returns false if `width` threads already run work.
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
        // The scheduled closure retains the token of its timer, because releasing the token would cancel the timer.
        let timer = Lock<SignalToken?>(nil)
        let token = clock.schedule(after: pause) {
            withExtendedLifetime(timer) { self.async(work) }
        }
        timer.withLock { $0 = token }
    }

    package func async(at time: DispatchTime, _ work: @escaping Work) {
        Self.clock.asyncAfter(deadline: time) { self.async(work) }
    }

    /// The time of the executor's clock, counted from a point that the clock chooses.
    package var now: Duration { clock.now }

    /// Runs work on the calling thread and returns the delivery that it produced.
    ///
    /// If other work is waiting afterwards, a thread of the executor runs that work.
    private func runInline(_ work: () -> Void) -> Work? {
        let delivery = perform(work)
        let isLeft = state.withLock { state in
            if state.waiting.isEmpty { state.working -= 1 }
            return !state.waiting.isEmpty
        }
        if isLeft { threads.async { self.serve() } }
        return delivery
    }

    /// Runs work, and returns the delivery that it produced; see `ThreadContext.work`.
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
    /// Counts one more working thread and returns true, unless `width` threads already work.
    fileprivate mutating func enter(_ width: Int) -> Bool {
        guard working < width else { return false }
        working += 1
        return true
    }

    /// Takes the next piece of work; if there is none, counts one working thread less and returns nil.
    fileprivate mutating func take() -> Executor.Work? {
        if let work = waiting.popFirst() { return work }
        working -= 1
        return nil
    }
}
