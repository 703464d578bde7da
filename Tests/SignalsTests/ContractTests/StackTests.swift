import Signals
import SignalsTesting
import Testing

/// What runs on a stack of 512 KiB does not nest: a single frame for each value would need a hundred times as much.
@Suite("Depth is 1", .timeLimit(.minutes(5))) struct StackTests {
    @Test("S24 values that are asked for one by one, through every operator", arguments: OperatorRegistry.all)
    func valuesOneByOne(_ registered: RegisteredOperator) {
        let hasEnded = Lock(false)
        let returned = onSmallStack { hasEnded.withLock { $0 = registered.run(50_000) } }
        #expect(returned && hasEnded.withLock { $0 })
    }
}
