import SignalsTesting
import Testing

@testable import Signals

@Suite(.timeLimit(.minutes(5))) struct DrainTests {
    private final class Work: Sendable {
        let drain = Drain()
        let queue = Lock(0)
        let done = Count()
        let inside = Count()
        let overlaps = Count()

        func add() {
            queue.withLock { $0 += 1 }
            drain.run {
                if inside.raise() % 2 == 0 { overlaps.raise() }
                let count = queue.withLock { queue in
                    defer { queue = 0 }
                    return queue
                }
                for _ in 0..<count { done.raise() }
                inside.raise()
            }
        }
    }

    @Test("S7 one worker at a time, and no work is left behind") func threads() {
        let work = Work()
        onThreads(4) { _ in for _ in 0..<5_000 { work.add() } }
        #expect(work.done.value == 20_000 && work.overlaps.value == 0)
    }

    @Test("S7 a worker that leaves as another arrives leaves no work behind, in any of 100,000 rounds") func rounds() {
        let work = Work()
        let returned = Rounds.run(100_000) { _, _ in
            work.add()
        } check: {
            work.done.value == 2 * ($0 + 1)
        }
        #expect(returned && work.done.value == 200_000 && work.overlaps.value == 0)
    }

    @Test("S46 a thread can tell its own control call from another thread's") func controlCalls() {
        final class Door: Sendable {
            let drain = Drain()
            var found: [Bool] { [drain.isControlledByThisThread, drain.isControlledByAnotherThread] }
        }
        let door = Door()
        #expect(door.found == [false, false])
        let isIn = door.drain.enter()
        door.drain.beginControl()
        #expect(isIn && door.found == [true, false])
        onThreads(1) { _ in #expect(door.found == [false, true]) }
        let isOut = door.drain.leaveControl()
        #expect(isOut && door.found == [false, false])
    }

    @Test("S26 re-entering from inside makes the worker run another pass") func nested() {
        let drain = Drain()
        var passes: [Int] = []
        drain.run {
            passes.append(passes.count)
            if passes.count < 3 {
                drain.run { passes.append(-1) }
            }
        }
        #expect(passes == [0, 1, 2])
    }
}
