import Dispatch
public import Signals
public import SignalsTesting

extension Laws {
    /// Checks a scheduler against the contract.
    ///
    /// ```swift
    /// let breaches = Laws.verifyScheduler(moving: { ($0 as? VirtualScheduler)?.run() }) { VirtualScheduler() }
    /// print(breaches)  // []
    /// ```
    ///
    /// - Parameters:
    ///   - keepsOrder: Whether work runs in the order in which it was scheduled; false for a concurrent queue.
    ///   - unit: A wait that can be distinguished from a wait of twice the length.
    ///   - move: Advances the scheduler's time, if it does not advance by itself.
    ///   - make: Creates a scheduler.
    /// - Returns: The breaches of the contract, or an empty array.
    public static func verifyScheduler(
        keepsOrder: Bool = true, unit: Duration = .milliseconds(2),
        moving move: @escaping @Sendable (any SignalScheduler) -> Void = { _ in },
        _ make: @escaping @Sendable () -> any SignalScheduler
    ) -> [Breach] {
        let subject = SchedulerLaw.Subject(keepsOrder: keepsOrder, unit: unit, make: make, move: move)
        return breaches(of: SchedulerLaw.all, by: subject)
    }
}

/// The laws for schedulers.
enum SchedulerLaw {
    struct Subject: Sendable {
        let keepsOrder: Bool
        let unit: Duration
        let make: @Sendable () -> any SignalScheduler
        let move: @Sendable (any SignalScheduler) -> Void
    }

    static var all: [Law<Subject>] {
        [
            Law("never inline", neverInline),
            Law("order", order),
            Law("order of time", orderOfTime),
            Law("cancelled work", cancelledWork),
            Law("monotonic", monotonic),
        ]
    }

    /// Runs all work, and waits until `count` pieces have run.
    private static func finish(
        _ scheduler: any SignalScheduler, _ subject: Subject, _ done: DispatchSemaphore, _ count: Int,
        _ findings: inout Findings
    ) {
        subject.move(scheduler)
        for number in 0..<count {
            guard done.wait(timeout: .now() + .seconds(Patience.seconds)) == .success else {
                Patience.report("\(count) pieces of work", "\(number) have run, and the time is \(scheduler.now)")
                return findings.expect(false, "S36", "Scheduled work did not run in time.")
            }
        }
    }

    private static func neverInline(_ subject: Subject, _ findings: inout Findings) {
        let scheduler = subject.make()
        let done = DispatchSemaphore(value: 0)
        let isScheduling = Lock(ThreadIdentity?.none)
        let inline = LiveCount()
        @Sendable func run() {
            if isScheduling.withLock({ $0 }) == ThreadIdentity.current { inline.add(1) }
            done.signal()
        }
        isScheduling.withLock { $0 = ThreadIdentity.current }
        scheduler.schedule { run() }
        let token = scheduler.schedule(after: .zero) { run() }
        isScheduling.withLock { $0 = nil }
        finish(scheduler, subject, done, 2, &findings)
        findings.expect(inline.current == 0, "S36", "It ran work before scheduling it returned.")
        withExtendedLifetime(token) {}
    }

    private static func order(_ subject: Subject, _ findings: inout Findings) {
        let scheduler = subject.make()
        let done = DispatchSemaphore(value: 0)
        let ran = Lock<[Int]>([])
        for number in 0..<500 {
            scheduler.schedule {
                ran.withLock { $0.append(number) }
                done.signal()
            }
        }
        finish(scheduler, subject, done, 500, &findings)
        let numbers = ran.withLock { $0 }
        findings.expect(numbers.count == 500, "S36", "Of 500 pieces of work, \(numbers.count) ran.")
        if subject.keepsOrder { findings.expect(numbers == Array(0..<500), "S36", "It changed the order of work.") }
    }

    private static func orderOfTime(_ subject: Subject, _ findings: inout Findings) {
        let scheduler = subject.make()
        let done = DispatchSemaphore(value: 0)
        let ran = Lock<[Int]>([])
        let tokens = [40, 1, 20].map { wait in
            scheduler.schedule(after: subject.unit * wait) {
                ran.withLock { $0.append(wait) }
                done.signal()
            }
        }
        finish(scheduler, subject, done, 3, &findings)
        let waits = ran.withLock { $0 }
        findings.expect(waits == [1, 20, 40], "S36", "Work that was due after 1, 20 and 40 ran in the order \(waits).")
        withExtendedLifetime(tokens) {}
    }

    private static func cancelledWork(_ subject: Subject, _ findings: inout Findings) {
        let scheduler = subject.make()
        let done = DispatchSemaphore(value: 0)
        let ran = LiveCount()
        let held = LiveCount()
        let cancelled = scheduler.schedule(after: subject.unit * 5) { [grip = LiveToken(held)] in
            withExtendedLifetime(grip) { ran.add(1) }
        }
        cancelled.cancel()
        findings.expect(held.current == 0, "S36", "It retains cancelled work.")
        _ = scheduler.schedule(after: subject.unit * 5) { ran.add(1) }
        let later = scheduler.schedule(after: subject.unit * 20) { done.signal() }
        finish(scheduler, subject, done, 1, &findings)
        findings.expect(ran.current == 0, "S36", "Work ran although it was cancelled or its token was released.")
        withExtendedLifetime(later) {}
    }

    private static func monotonic(_ subject: Subject, _ findings: inout Findings) {
        let scheduler = subject.make()
        let done = DispatchSemaphore(value: 0)
        let times = Lock<[Duration]>([scheduler.now])
        let tokens = (1...5).map { step in
            scheduler.schedule(after: subject.unit * step) {
                let now = scheduler.now
                times.withLock { $0.append(now) }
                done.signal()
            }
        }
        finish(scheduler, subject, done, 5, &findings)
        let all = times.withLock { $0 } + [scheduler.now]
        findings.expect(all == all.sorted(), "S36", "Its time went back: \(all).")
        findings.expect(all[1] - all[0] >= subject.unit, "S36", "Work ran before it was due.")
        withExtendedLifetime(tokens) {}
    }
}
