extension Signal where Value == Int {
    /// Returns a signal that counts from zero, one step for each interval.
    ///
    /// ```swift
    /// let seconds = Signal<Int, Never>.interval(.seconds(1), on: DispatchQueue.main)
    /// let token = seconds.prefix(3).sink { print($0) }  // 0 1 2, a second apart
    /// ```
    ///
    /// - Delivery: on the scheduler, the first step one interval after it was attached, and never two closer together.
    ///   A step for which there is no demand is skipped, to `DiscardHook`, but counted. It never ends.
    public static func interval(_ time: Duration, on scheduler: some SignalScheduler) -> Signal {
        precondition(time > .zero, "An interval is longer than zero.")
        return create { emitter in
            let clock = Ticker(every: time, on: scheduler) { emitter.send($0) }
            clock.start()
            return { clock.stop() }
        }
    }
}

/// Sets a timer again each time it fires; the time of a step is counted from the start, so that steps do not drift.
private final class Ticker: Sendable {
    private struct State {
        var step = 0
        var timer: SignalToken?
        var isStopped = false
    }

    private let state = Lock(State())
    private let time: Duration
    private let scheduler: any SignalScheduler
    private let started: Duration
    private let onStep: @Sendable (Int) -> Void

    init(every time: Duration, on scheduler: any SignalScheduler, _ onStep: @escaping @Sendable (Int) -> Void) {
        self.time = time
        self.scheduler = scheduler
        self.onStep = onStep
        started = scheduler.now
    }

    func start() {
        let due = state.withLock { started + time * ($0.step + 1) }
        let timer = scheduler.schedule(after: max(.zero, due - scheduler.now)) { self.fire() }
        let (isStopped, old) = state.withLock { state in
            defer { if !state.isStopped { state.timer = timer } }
            return (state.isStopped, state.timer.take())
        }
        // The timer that has fired is running this very call.
        old?.detach()
        if isStopped { timer.cancel() }
    }

    private func fire() {
        let step = state.withLock { state -> Int? in
            if state.isStopped { return nil }
            defer { state.step += 1 }
            return state.step
        }
        guard let step else { return }
        onStep(step)
        start()
    }

    func stop() {
        let timer = state.withLock { state in
            state.isStopped = true
            return state.timer.take()
        }
        timer?.cancel()
    }
}
