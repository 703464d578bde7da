import Testing

@testable import Signals

@Suite(.timeLimit(.minutes(5))) struct WakeTests {
    @Test func aWakeUpThatComesFirstIsKeptOnce() async {
        let wake = Wake()
        wake.wake()
        wake.wake()
        await wake.wait()
        let woken = Count()
        let waiter = Task {
            await wake.wait()
            woken.raise()
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(woken.value == 0)
        wake.wake()
        await waiter.value
        #expect(woken.value == 1)
    }

    @Test func noWakeUpIsLost() async {
        let (there, back) = (Wake(), Wake())
        let turns = Count()
        let rounds = 20_000
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<rounds {
                    while turns.value != 2 * round { await there.wait() }
                    turns.raise()
                    back.wake()
                }
            }
            group.addTask {
                for round in 0..<rounds {
                    while turns.value != 2 * round + 1 { await back.wait() }
                    turns.raise()
                    there.wake()
                }
            }
        }
        #expect(turns.value == 2 * rounds)
    }

    @Test func whatManyPublishIsSeen() async {
        let wake = Wake()
        let published = Count()
        let senders = Task.detached {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<5_000 {
                            published.raise()
                            wake.wake()
                        }
                    }
                }
            }
        }
        while published.value < 20_000 { await wake.wait() }
        await senders.value
    }
}
