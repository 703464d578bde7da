import Synchronization

extension Signal where Value == Int {
    /// Returns a signal that counts from zero, and delivers one number for each interval.
    ///
    /// ```swift
    /// let seconds = Signal<Int, Never>.interval(.seconds(1), on: DispatchQueue.main)
    /// let token = seconds.prefix(3).sink { print($0) }  // 0 1 2, a second apart
    /// ```
    ///
    /// - Delivery: on the scheduler, each number at a multiple of the interval after the attach. If the scheduler is
    ///   late or the sink is slow, the signal skips the numbers that were due in the meantime, and never catches up in
    ///   a burst. It also skips a number that the sink has not requested, and reports this number to `DiscardHook`. The
    ///   signal never ends. On a scheduler that does not wait, such as `.immediate`, it delivers only its first number.
    public static func interval(_ time: Duration, on scheduler: some SignalScheduler) -> Signal {
        precondition(time > .zero, "interval(_:on:) needs an interval longer than zero.")
        return create(bufferSize: 0) { emitter in
            let clock = Ticker(every: time, on: scheduler) { emitter.send($0) }
            clock.start()
            return { clock.stop() }
        }
    }
}

/// A timer that schedules each step after the previous one.
///
/// Due times count from the start, so steps do not drift.
private final class Ticker: Sendable {
    /// The number of the next step.
    ///
    /// Only one step runs at a time, because each step schedules the next one.
    private let step = Serial(0)
    private let isScheduling = Atomic(false)
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
        let due = started + time * (step.state + 1)
        isScheduling.store(true, ordering: .relaxed)
        pause.begin { scheduler.schedule(after: max(.zero, due - scheduler.now)) { self.fire(due) } }
        isScheduling.store(false, ordering: .relaxed)
    }

    private func fire(_ due: Duration) {
        if pause.isCancelled { return }
        // Without this check, a scheduler that does not wait would run steps forever, each inside the previous one.
        if step.state > 0 && isScheduling.load(ordering: .relaxed) && scheduler.now < due { return }
        let number = step.state
        onStep(number)
        let passed = Int((scheduler.now - started).attoseconds / time.attoseconds)
        step.state = max(number + 1, passed)
        start()
    }

    func stop() { pause.cancel() }
}
