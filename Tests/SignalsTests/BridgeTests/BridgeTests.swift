import Foundation
import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite("Bridges to async code", .timeLimit(.minutes(5))) struct BridgeTests {
    @Test("S41 the first value, none, and a failure") func first() async throws {
        #expect(await Signal<Int, Never>.sequence(1...).value() == 1)
        #expect(await Signal<Int, Never>.empty().value() == nil)
        await #expect(throws: LawFailure(3)) { try await Signal<Int, LawFailure>.fail(LawFailure(3)).value() }
    }

    @Test("S41 value() cancels its signal once it has its value, and with its task") func valueCancels() async {
        let probe = Probe<Int, Never>()
        let isAsked = Broadcast<Void, Never>()
        let asked = isAsked.signal.record()
        // Reports each request that arrives: a value sent before the request would be dropped.
        let signal = probe.signal.lift { next in
            Sink(
                onUpstream: { upstream in
                    next.receive(
                        upstream: Upstream(
                            request: {
                                upstream.request($0)
                                isAsked.send()
                            }, cancel: { upstream.cancel() }))
                }, onValue: { next.receive($0) }, onCompletion: { next.receive(completion: $0) })
        }
        let task = Task { await signal.value() }
        _ = await asked.values(1)
        probe.send(5)
        #expect(await task.value == 5 && probe.liveCount == 0)
        let cancelled = Task { await signal.value() }
        _ = await asked.values(2)
        cancelled.cancel()
        #expect(await cancelled.value == nil && probe.liveCount == 0)
    }

    @Test("S41 a failure type that can express it reports a missing value") func noValue() async throws {
        let three: Int = try await Signal<Int, Download>.just(3).value()
        #expect(three == 3)
        await #expect(throws: Download.noValue) { try await Signal<Int, Download>.empty().value() }
        await #expect(throws: Download.noValue) {
            // An annotation with an optional does not select the overload that returns nil.
            let _: Int? = try await Signal<Int, Download>.empty().value()
        }
        await #expect(throws: Download.broken) { try await Signal<Int, Download>.fail(.broken).value() }
        let waiting = Task { try await Signal<Int, Download>.never().value() }
        waiting.cancel()
        await #expect(throws: Download.cancelled) { try await waiting.value }
    }

    private enum Download: NoValueFailure {
        case noValue, cancelled, broken
    }

    @Test("S34 a cancel releases the sink of a task that continues") func cancelledTask() async {
        let (started, released) = (Broadcast<Void, Never>(), Lock<CheckedContinuation<Void, Never>?>(nil))
        let start = started.signal.record()
        let token: SignalToken
        weak var watched: Count?
        do {
            let count = Count()
            watched = count
            token = Signal<Int, Never>.task {
                await withCheckedContinuation { continuation in
                    released.withLock { $0 = continuation }
                    started.send()
                }
                return 1
            }.sink { _ in count.raise() }
        }
        _ = await start.values(1)
        #expect(watched != nil)
        token.cancel()
        #expect(watched == nil)
        released.withLock { $0.take() }?.resume()
    }

    @Test("S41 a loop requests 16 values ahead") func ahead() async {
        let requests = Lock<[Demand]>([])
        let signal = Signal<Int, Never>.sequence(1...3)
            .handleEvents(onRequest: { demand in requests.withLock { $0.append(demand) } })
        for await _ in signal.values {}
        #expect(requests.withLock { $0.first } == .max(16))
    }

    @Test("S41 all values, or the failure") func collect() async throws {
        let all = await Signal<Int, Never>.sequence(1...3).collect().value()
        #expect(all == [1, 2, 3])
        await #expect(throws: LawFailure(2)) {
            try await Signal<Int, LawFailure>.just(1).append(.fail(LawFailure(2))).collect().value()
        }
    }

    @Test("S41 an asynchronous sequence makes no more elements than are requested") func asyncSequence() async {
        let made = Count()
        let recorder = Signal(Numbers(made: made, end: 5)).record(demand: .max(2))
        #expect(await recorder.values(2) == [0, 1])
        #expect(made.value == 2)
        recorder.request(.unlimited)
        #expect(await recorder.end() == .finished)
        #expect(recorder.values == [0, 1, 2, 3, 4])
        report(recorder.breaches)
    }

    @Test("S14 S41 a request that arrives while a delivery returns makes one element, and none is lost")
    func askedMeanwhile() async {
        let (made, seen) = (Count(), Count())
        let end = 1_000
        // Every other element is filtered out, and the demand that its delivery returns requests another.
        let recorder = Signal(Numbers(made: made, end: .max)).filter { !$0.isMultiple(of: 2) }
            .handleEvents(onValue: { _ in seen.raise() }).record(demand: .none)
        let asking = Task.detached {
            // The elements are made on the task pool, whose threads other tests may block for a while.
            Patience.$seconds.withValue(10 * Patience.seconds) {
                onThreads(1) { _ in
                    for asked in 0...end {
                        while seen.value < asked && made.value <= 2 * asked { sched_yield() }
                        // More was made than requested: the expectation below fails.
                        if made.value > 2 * asked { return }
                        if asked < end { recorder.request(.max(1)) }
                    }
                }
            }
        }
        #expect(await asking.value)
        recorder.cancel()
        #expect(recorder.values == (0..<end).map { 2 * $0 + 1 } && made.value == 2 * end)
        report(recorder.breaches)
    }

    @Test("S5 S29 a cancelled run stops its sequence, even while that waits") func asyncSequenceCancelled() async {
        let ended = Broadcast<Void, Never>()
        let end = ended.signal.record()
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        continuation.onTermination = { _ in ended.send() }
        let recorder = Signal(stream).record()
        continuation.yield(1)
        #expect(await recorder.values(1) == [1])
        recorder.cancel()
        #expect(await end.values(1).count == 1)
    }

    @Test("S5 S34 a cancel wakes a run that waits for demand, and releases its iterator") func asyncSequenceWaiting()
        async
    {
        let released = Broadcast<Void, Never>(bufferSize: .max)
        let releases = released.signal.record()
        let recorder = Signal(Watched(release: SignalToken(onCancel: { released.send() }))).record(demand: .max(1))
        #expect(await recorder.values(1) == [1])
        recorder.cancel()
        #expect(await releases.values(1).count == 1)
    }

    @Test("S41 S48 a loop yields its actor, even if its source never makes it wait", arguments: [1, 16, 5_000])
    @MainActor func loopGivesUp(_ prefetch: Int) async {
        var isStopped = false
        let stop = Task { @MainActor in isStopped = true }
        var count = 0
        for await _ in Signal<Int, Never>.sequence(0...).prefix(1_000_000).values(prefetch: prefetch) {
            count += 1
            if isStopped { break }
        }
        #expect(count <= 2_048)
        await stop.value
    }

    @Test(
        "S23 S41 a loop gets everything that a source emits before the loop takes a value",
        arguments: [1, 17, 100, 10_000])
    func everyEmitted(_ count: Int) async {
        let signal = Signal<Int, Never>.create { emitter in
            for number in 1...count { emitter.send(number) }
            emitter.finish()
            return {}
        }
        var seen: [Int] = []
        for await number in signal.values { seen.append(number) }
        #expect(seen == Array(1...count))
    }

    @Test("S13 a task runs when its value is requested, and is cancelled with the run") func task() async {
        let starts = Count()
        let signal = Signal<Int, LawFailure>.task { () async throws(LawFailure) in starts.raise() }
        let recorder = signal.record(demand: .none)
        #expect(starts.value == 0)
        recorder.request(.max(1))
        #expect(await recorder.end() == .finished)
        #expect(recorder.values == [1])
        let failing = Signal<Int, LawFailure>.task { () async throws(LawFailure) in throw LawFailure(8) }.record()
        #expect(await failing.end() == .failure(LawFailure(8)))
        let cancelled = Broadcast<Void, Never>()
        let wasCancelled = cancelled.signal.record()
        let endless = Signal<Int, Never>.task {
            _ = await withTaskCancellationHandler {
                await Signal<Int, Never>.never().value()
            } onCancel: {
                cancelled.send()
            }
            return 1
        }.record()
        endless.cancel()
        #expect(await wasCancelled.values(1).count == 1)
        #expect(endless.values.isEmpty)
    }

    @Test("S30 an isolated sink delivers nothing after its token was cancelled") @MainActor func isolatedSink() async {
        let source = Broadcast<Int, Never>(bufferSize: .max)
        let box = Box()
        let token = box.follow(source.signal)
        source.send(1)
        _ = await box.seen.signal.filter { $0 == 1 }.record().values(1)
        token.cancel()
        source.send(2)
        #expect(box.values == [1])
    }

    @MainActor final class Box {
        private(set) var values: [Int] = []
        let seen = CurrentValue<Int, Never>(0)

        func follow(_ signal: Signal<Int, Never>) -> SignalToken {
            signal.isolatedSink(bufferSize: .max, whenFull: .dropNewest) { [weak self] in
                self?.values.append($0)
                self?.seen.send($0)
            }
        }
    }
}

/// Counts from zero, and counts the requested elements.
private struct Numbers: AsyncSequence, Sendable {
    typealias Failure = Never
    let made: Count
    let end: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        let made: Count
        let end: Int
        var next = 0

        mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
            guard next < end else { return nil }
            made.raise()
            defer { next += 1 }
            return next
        }

        mutating func next() async -> Int? { await next(isolation: nil) }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(made: made, end: end) }
}

/// Counts from one, and retains a token until its iterator is released.
private struct Watched: AsyncSequence, Sendable {
    typealias Failure = Never
    let release: SignalToken

    struct AsyncIterator: AsyncIteratorProtocol {
        let release: SignalToken
        var last = 0

        mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
            last += 1
            return last
        }

        mutating func next() async -> Int? { await next(isolation: nil) }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(release: release) }
}
