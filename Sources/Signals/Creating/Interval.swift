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
private final class Ticker: @unchecked Sendable {
    // Safe because each step schedules the next, and no two are ever due at once.
    private var step = 0
    private let pause = Pause()
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
        let due = started + time * (step + 1)
        pause.begin { scheduler.schedule(after: max(.zero, due - scheduler.now)) { self.fire() } }
    }

    private func fire() {
        if pause.isCancelled { return }
        let number = step
        step += 1
        onStep(number)
        start()
    }

    func stop() { pause.cancel() }
}
