import Foundation
import Signals
import SignalsFoundation
import SignalsLaws
import SignalsTesting
import Testing

@Suite("The schedulers of Foundation keep the contract", .timeLimit(.minutes(5)))
struct SchedulerTests {
    @Test("S36 an operation queue that runs one operation at a time") func serialOperations() {
        report(
            Laws.verifyScheduler {
                let queue = OperationQueue()
                queue.maxConcurrentOperationCount = 1
                return queue
            })
    }

    @Test("S36 an operation queue") func operations() {
        report(Laws.verifyScheduler(keepsOrder: false) { OperationQueue() })
    }

    @Test("S36 a run loop") func runLoop() {
        let loops = LoopThread()
        defer { loops.end() }
        report(Laws.verifyScheduler { RunLoopScheduler(loops.loop) })
    }

    @Test func aSleepingLoopIsWoken() async {
        let loops = LoopThread()
        defer { loops.end() }
        let scheduler = RunLoopScheduler(loops.loop)
        // One piece of work at a time, so that the loop sleeps before each.
        for _ in 0..<100 {
            let thread = await withCheckedContinuation { continuation in
                scheduler.schedule { continuation.resume(returning: ObjectIdentifier(Thread.current)) }
            }
            #expect(thread == loops.id)
        }
    }

    @Test func workRunsWhileWorkRunsTheLoop() async {
        let loops = LoopThread()
        defer { loops.end() }
        let scheduler = RunLoopScheduler(loops.loop)
        let order = Lock<[String]>([])
        await withCheckedContinuation { continuation in
            scheduler.schedule {
                order.withLock { $0.append("begins") }
                while order.withLock({ $0.count < 3 }) {
                    // A timer does not end it.
                    _ = scheduler.loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
                }
                order.withLock { $0.append("ends") }
                continuation.resume()
            }
            scheduler.schedule { order.withLock { $0.append("second") } }
            scheduler.schedule { order.withLock { $0.append("third") } }
        }
        #expect(order.withLock { $0 } == ["begins", "second", "third", "ends"])
    }

    @Test func valuesArriveOnTheLoop() async throws {
        let loops = LoopThread()
        defer { loops.end() }
        let turns = await Signal<Int, Never>.sequence(0..<1_000)
            .receive(on: RunLoopScheduler(loops.loop))
            .map { [$0: ObjectIdentifier(Thread.current)] }
            .collect().value()
        #expect(turns == (0..<1_000).map { [$0: loops.id] })
    }

    @Test func aSuspendedQueueHoldsWhatIsDue() async throws {
        let queue = OperationQueue()
        queue.isSuspended = true
        let ran = Lock(false)
        let kept = queue.schedule(after: .zero) { ran.withLock { $0 = true } }
        // A wait that began later has ended, so the first one has, too.
        let marker = OperationQueue()
        let token = Lock<SignalToken?>(nil)
        await withCheckedContinuation { continuation in
            let later = marker.schedule(after: .zero) { continuation.resume() }
            token.withLock { $0 = later }
        }
        #expect(queue.operationCount == 1)
        kept.cancel()
        queue.isSuspended = false
        await withCheckedContinuation { continuation in queue.addBarrierBlock { continuation.resume() } }
        #expect(!ran.withLock { $0 })
    }

    private func report(_ breaches: [Breach], sourceLocation: SourceLocation = #_sourceLocation) {
        for breach in breaches { Issue.record("\(breach)", sourceLocation: sourceLocation) }
    }
}

/// A thread that runs a run loop until it is ended.
private final class LoopThread: @unchecked Sendable {
    // Safe because both are set before `init` returns.
    private(set) var loop = RunLoop.current
    private(set) var id = ObjectIdentifier(Thread.current)
    private let isEnded = Lock(false)

    init() {
        let ready = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            (loop, id) = (.current, ObjectIdentifier(Thread.current))
            // A loop without a timer or a source does not wait.
            loop.add(Timer(timeInterval: 1e6, repeats: true) { _ in }, forMode: .common)
            ready.signal()
            // Long enough that work that does not wake the loop would be late.
            while !isEnded.withLock({ $0 }) { _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 60)) }
        }
        thread.start()
        ready.wait()
    }

    func end() { isEnded.withLock { $0 = true } }
}
