import Signals
import SignalsTesting
import Testing

@Suite struct VirtualSchedulerTests {
    private final class Log: Sendable {
        private let lines = Lock<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func note(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test("S36 work runs by time, then by order") func order() {
        let scheduler = VirtualScheduler()
        let log = Log()
        let tokens = [("c", 2), ("a", 1), ("b", 1), ("d", 2)].map { name, time in
            scheduler.schedule(after: .seconds(time)) { log.note("\(name) at \(scheduler.now)") }
        }
        scheduler.schedule { log.note("now at \(scheduler.now)") }
        #expect(log.all.isEmpty)
        #expect(scheduler.pendingCount == 5)
        scheduler.advance(by: .zero)
        #expect(log.all == ["now at 0.0 seconds"])
        scheduler.advance(by: .seconds(1.5))
        #expect(log.all.suffix(2) == ["a at 1.0 seconds", "b at 1.0 seconds"])
        #expect(scheduler.now == .seconds(1.5))
        scheduler.run()
        #expect(log.all.suffix(2) == ["c at 2.0 seconds", "d at 2.0 seconds"])
        #expect(scheduler.now == .seconds(2))
        #expect(scheduler.pendingCount == 0)
        withExtendedLifetime(tokens) {}
    }

    @Test("S36 cancelled work never runs, and is released at once") func cancelled() {
        let scheduler = VirtualScheduler()
        let log = Log()
        weak var weakLog: Log?
        do {
            let other = Log()
            weakLog = other
            let token = scheduler.schedule(after: .seconds(1)) { other.note("cancelled") }
            token.cancel()
        }
        #expect(weakLog == nil)
        _ = scheduler.schedule(after: .seconds(1)) { log.note("released") }
        let kept = scheduler.schedule(after: .seconds(1)) { log.note("kept") }
        #expect(scheduler.pendingCount == 1)
        scheduler.run()
        #expect(log.all == ["kept"])
        kept.cancel()
    }

    @Test("S36 work that is scheduled by other work runs at its own time") func nested() {
        let scheduler = VirtualScheduler(start: .seconds(10))
        let log = Log()
        let tokens = Lock<[SignalToken]>([])
        @Sendable func again(_ left: Int) {
            log.note("\(scheduler.now)")
            guard left > 0 else { return }
            let token = scheduler.schedule(after: .seconds(1)) { again(left - 1) }
            tokens.withLock { $0.append(token) }
            scheduler.schedule { log.note("same instant") }
        }
        scheduler.schedule { again(2) }
        scheduler.advance(by: .seconds(1))
        #expect(log.all == ["10.0 seconds", "same instant", "11.0 seconds", "same instant"])
        scheduler.run()
        #expect(log.all.last == "12.0 seconds")
    }

    @Test("S36 an advance inside work takes effect after that work") func moveInside() {
        let scheduler = VirtualScheduler()
        let log = Log()
        scheduler.schedule {
            scheduler.advance(by: .seconds(5))
            log.note("moved, \(scheduler.now)")
        }
        let later = scheduler.schedule(after: .seconds(5)) { log.note("later") }
        scheduler.advance(by: .zero)
        #expect(log.all == ["moved, 0.0 seconds", "later"])
        #expect(scheduler.now == .seconds(5))
        withExtendedLifetime(later) {}
    }

    @Test("S36 a negative wait ends at once") func negative() {
        let scheduler = VirtualScheduler()
        let log = Log()
        let token = scheduler.schedule(after: .seconds(-3)) { log.note("\(scheduler.now)") }
        scheduler.advance(by: .zero)
        #expect(log.all == ["0.0 seconds"])
        withExtendedLifetime(token) {}
    }
}
