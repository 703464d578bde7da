import Signals
import Testing

@testable import SignalsLaws
@testable import SignalsTesting

@Suite("The laws for schedulers catch breaches", .timeLimit(.minutes(5)))
struct SchedulerLawTests {
    /// A scheduler of virtual time, broken in one way.
    private struct Broken: SignalScheduler {
        var runsInline = false
        var reverses = false
        var ignoresTime = false
        var ignoresCancel = false
        var goesBack = false
        let inner = VirtualScheduler()
        private let pile = Lock<[@Sendable () -> Void]>([])

        init(_ change: (inout Broken) -> Void) { change(&self) }

        var now: Duration { goesBack ? .zero - inner.now : inner.now }

        func schedule(_ work: @escaping @Sendable () -> Void) {
            if runsInline { return work() }
            if reverses { return pile.withLock { $0.append(work) } }
            inner.schedule(work)
        }

        func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
            let token = inner.schedule(after: ignoresTime ? .zero : delay, work)
            guard ignoresCancel else { return token }
            token.detach()
            return SignalToken()
        }

        func run() {
            let works = pile.withLock { pile in
                defer { pile = [] }
                return pile
            }
            for work in works.reversed() { work() }
            inner.run()
        }
    }

    private static let broken: [(law: String, make: @Sendable () -> any SignalScheduler)] = [
        ("never inline", { Broken { $0.runsInline = true } }),
        ("order", { Broken { $0.reverses = true } }),
        ("order of time", { Broken { $0.ignoresTime = true } }),
        ("cancelled work", { Broken { $0.ignoresCancel = true } }),
        ("monotonic", { Broken { $0.goesBack = true } }),
    ]

    private func verify(_ make: @escaping @Sendable () -> any SignalScheduler) -> [Breach] {
        Laws.verifyScheduler(moving: { ($0 as? Broken)?.run() }, make)
    }

    @Test func aLawfulSchedulerPasses() {
        #expect(verify { Broken { _ in } } == [])
    }

    @Test("S36 each law catches a scheduler that breaks it", arguments: broken.indices)
    func brokenScheduler(_ index: Int) {
        let (law, make) = Self.broken[index]
        let found = verify(make)
        #expect(
            found.contains { $0.law == law && $0.clause == "S36" },
            "\(law) should have found a breach, but these were found: \(found.prefix(5))")
    }

    @Test func everyLawIsTested() {
        #expect(Set(SchedulerLaw.all.map(\.name)) == Set(Self.broken.map(\.law)))
    }
}
