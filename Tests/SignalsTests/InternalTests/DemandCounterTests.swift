import SignalsTesting
import Testing

@testable import Signals

@Suite struct DemandCounterTests {
    private final class Shared: Sendable {
        let counter = DemandCounter()
    }

    @Test("S15 adds up, saturating, and stays unlimited") func addition() {
        let counter = DemandCounter()
        #expect(counter.add(.max(2)) == Demand.none)
        #expect(counter.add(.max(3)) == .max(2))
        #expect(counter.current == .max(5))
        #expect(counter.subtract(2) == .max(3))
        counter.add(.max(.max - 1))
        #expect(counter.isUnlimited && counter.subtract(100) == .unlimited && counter.takeOne())
    }

    @Test("S14 takes no more than was added") func taking() {
        let shared = Shared()
        let taken = Count()
        shared.counter.add(.max(1_000))
        onThreads(4) { _ in for _ in 0..<1_000 { if shared.counter.takeOne() { taken.raise() } } }
        #expect(taken.value == 1_000 && shared.counter.current == .none)
    }

    @Test("S14 S15 additions and subtractions on several threads are all counted", arguments: 0..<4)
    func contention(_ way: Int) {
        let count = 200_000
        let shared = Shared()
        if way > 0 { shared.counter.add(.max(4 * count)) }
        onThreads(4) { _ in
            for _ in 0..<count {
                switch way {
                case 0: shared.counter.add(.max(1))
                case 1: shared.counter.subtract(1)
                case 2: _ = shared.counter.takeOne()
                default: _ = shared.counter.take(.max(1))
                }
            }
        }
        #expect(shared.counter.current == (way > 0 ? Demand.none : .max(4 * count)))
    }

    @Test("S29 closes once, and for good") func closing() {
        let shared = Shared()
        let closed = Count()
        shared.counter.add(.unlimited)
        onThreads(4) { _ in if shared.counter.close() { closed.raise() } }
        #expect(closed.value == 1 && shared.counter.isClosed)
        #expect(shared.counter.add(.max(1)) == nil && !shared.counter.takeOne() && shared.counter.current == .none)
        #expect(shared.counter.subtract(1) == .none)
    }
}
