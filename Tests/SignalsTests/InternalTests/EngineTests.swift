import Foundation
import SignalsTesting
import Synchronization
import Testing

@testable import Signals

@Suite(.timeLimit(.minutes(5))) struct EngineTests {
    /// Passes its events to a recorder, which notices events that overlap.
    private final class Relay: Engine {
        let inbox = Inbox<Int>()
        let recorder = Recorder<Int, Never>()
        let pendingDemand = Atomic(0)
        let settled = Atomic(0)

        init() { recorder.sink.receive(upstream: Upstream(request: { _ in }, cancel: {})) }

        func process(_ event: Int) { _ = recorder.sink.receive(event) }

        func settle() { settled.add(pendingDemand.exchange(0, ordering: .relaxed), ordering: .relaxed) }
    }

    @Test("S7 S8 S46 events of senders and of control calls pass one at a time, and none is left behind")
    func threads() async {
        let relay = Relay()
        let count = 20_000
        #expect(
            onThreads(4) { thread in
                for number in 0..<count {
                    let event = thread * count + number
                    if thread < 2 {
                        relay.inbox.submit(event, to: relay)
                    } else {
                        relay.control(event)
                    }
                }
            })
        let values = await relay.recorder.values(4 * count)
        #expect(values.count == 4 * count && relay.recorder.breaches == [])
        for thread in 0..<4 {
            #expect(values.filter { $0 / count == thread } == Array(thread * count..<(thread + 1) * count))
        }
    }

    @Test("S46 a control call leaves the events of other threads to the next sender") func offer() async {
        let relay = Relay()
        let seen = Lock<[(event: Int, thread: UInt)]>([])
        func control(_ event: Int) -> ControlOutcome {
            relay.inbox.control(event) { event in
                seen.withLock { $0.append((event, LiveThreadID.current)) }
                guard event == 1 else { return }
                // Events from inside, on this thread and on another one.
                relay.inbox.enqueueForThisThread(2)
                onThreads(1) { _ in
                    if relay.inbox.work({ _ in }) { Issue.record("Two workers ran at once.") }
                    relay.inbox.enqueueForThisThread(3)
                }
                relay.inbox.enqueueForThisThread(4)
                relay.inbox.work { _ in }
            }
        }
        #expect(control(1) == .available)
        #expect(seen.withLock { $0.map(\.event) } == [1, 2])
        #expect(control(5) == .elsewhere)
        let worked = relay.inbox.submit(6) { event in seen.withLock { $0.append((event, LiveThreadID.current)) } }
        #expect(worked && seen.withLock { $0.map(\.event) } == [1, 2, 3, 4, 5, 6])
        #expect(control(7) == .left)
    }

    @Test("S46 R-L5 the available events are processed, but not those that arrive during that")
    func processAvailable() {
        let relay = Relay()
        var seen: [Int] = []
        #expect(
            relay.inbox.control(1) { _ in
                onThreads(1) { _ in
                    for event in 2...3 { relay.inbox.submit(event) { _ in } }
                }
            } == .available)
        let first = relay.inbox.processAvailable { event in
            seen.append(event)
            if event == 2 { onThreads(1) { _ in relay.inbox.submit(4) { _ in } } }
        }
        #expect(!first && seen == [2, 3])
        let second = relay.inbox.processAvailable { seen.append($0) }
        #expect(second && seen == [2, 3, 4])
        let late = relay.inbox.processAvailable { seen.append($0) }
        #expect(late && seen == [2, 3, 4])
    }

    @Test("S7 `quietly` runs alone, and no sender's event is left behind") func quietly() {
        /// Counts in a plain variable, which only the worker may touch.
        final class Book: @unchecked Sendable {
            // Safe because the count is confined to the inbox, as this test checks.
            var count = 0
            let inbox = Inbox<Int>()
        }
        let book = Book()
        let missed = Count()
        let returned = Rounds.run(20_000) { thread, _ in
            if thread == 0 {
                let worked = book.inbox.submit(1) { book.count += $0 }
                if !worked { missed.raise() }
            } else {
                while book.inbox.quietly({ book.count += 1 }) == nil { sched_yield() }
            }
        } check: { round in
            book.count == 2 * (round + 1)
        }
        // A sender waits until `quietly` has returned, and then processes its own event.
        #expect(returned && book.count == 40_000 && missed.value == 0)
    }

    @Test("S7 S17 demand added during a send is requested once, by the sender or the other thread") func knocks() {
        let relay = Relay()
        let returned = Rounds.run(50_000) { thread, round in
            if thread == 0 {
                relay.inbox.submit(round, to: relay)
            } else {
                relay.pendingDemand.add(1, ordering: .relaxed)
                relay.settleUnlessBusy()
            }
        } check: { round in
            relay.settled.load(ordering: .relaxed) == round + 1
        }
        #expect(returned && relay.settled.load(ordering: .relaxed) == 50_000)
    }
}
