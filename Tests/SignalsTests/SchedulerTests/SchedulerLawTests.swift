import Dispatch
import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite("Every scheduler keeps the contract", .timeLimit(.minutes(5)))
struct SchedulerLawTests {
    @Test("S36 a serial queue") func serialQueue() {
        report(Laws.verifyScheduler { DispatchQueue(label: "serial") })
    }

    @Test("S36 a concurrent queue") func concurrentQueue() {
        report(Laws.verifyScheduler(keepsOrder: false) { DispatchQueue(label: "many", attributes: .concurrent) })
    }

    @Test("S36 virtual time") func virtual() {
        report(Laws.verifyScheduler(moving: { ($0 as? VirtualScheduler)?.run() }) { VirtualScheduler() })
    }

    @Test("S36 immediate is the one that runs inline") func immediate() {
        let ran = Lock(0)
        ImmediateSignalScheduler().schedule { ran.withLock { $0 += 1 } }
        let token = ImmediateSignalScheduler().schedule(after: .seconds(9)) { ran.withLock { $0 += 1 } }
        #expect(ran.withLock { $0 } == 2)
        #expect(ImmediateSignalScheduler().now == .zero)
        token.cancel()
    }
}
