import Foundation
import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct LockTests {
    @Test("S7 four threads lose no increment") func exclusion() {
        let count = Lock(0)
        onThreads(4) { _ in for _ in 0..<10_000 { count.withLock { $0 += 1 } } }
        #expect(count.withLock { $0 } == 40_000)
    }

    @Test func whatIsThrownComesOut() {
        let state = Lock(1)
        #expect(throws: LawFailure(2)) {
            try state.withLock { state throws(LawFailure) in
                state = 5
                throw LawFailure(2)
            }
        }
        #expect(state.withLock { $0 } == 5)
    }

    @Test("S34 the state is released with the lock") func release() {
        weak var watched: Count?
        do {
            let lock = Lock(Count())
            watched = lock.withLock { $0 }
            #expect(watched != nil)
        }
        #expect(watched == nil)
    }
}
