import SignalsTesting
import Testing

@testable import Signals

@Suite struct DebtTests {
    private final class Shared: Sendable {
        let debt = PendingDemand()
    }

    @Test("S15 adds up, saturating, and is taken once") func taking() {
        let shared = Shared()
        onThreads(4) { _ in for _ in 0..<1_000 { shared.debt.add(.max(1)) } }
        #expect(shared.debt.take() == .max(4_000) && shared.debt.take() == .none)
        shared.debt.add(.max(.max - 1))
        shared.debt.add(.max(5))
        #expect(shared.debt.take() == .unlimited)
    }
}
