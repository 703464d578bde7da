import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct IsolatedSinkTests {
    /// Keeps the values that it is sent, and reports each of them.
    private actor Log {
        private(set) var values: [Int] = []
        private(set) var completion: Completion<LawFailure>?
        private var token: SignalToken?
        let seen = Broadcast<Int, Never>(bufferSize: .max)

        func note(_ value: Int) {
            values.append(value)
            seen.send(value)
        }

        func end(_ completion: Completion<LawFailure>) {
            self.completion = completion
            seen.send(-1)
        }

        func follow(_ signal: Signal<Int, LawFailure>) {
            token = signal.isolatedSink(
                on: self, bufferSize: .max, whenFull: .dropNewest, onValue: { $0.note($1) },
                onCompletion: { $0.end($1) })
        }
    }

    /// An executor that runs the jobs of an actor only when `run()` is called.
    private final class Turns: SerialExecutor {
        private let jobs = Lock<[UnownedJob]>([])
        let arrived = Broadcast<Int, Never>(bufferSize: .max)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.withLock { $0.append(job) }
            arrived.send(0)
        }

        func run() {
            let due = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            for job in due { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    private actor Patient {
        let turns: Turns
        nonisolated var unownedExecutor: UnownedSerialExecutor { turns.asUnownedSerialExecutor() }

        init(_ turns: Turns) { self.turns = turns }
    }

    @Test("S34 the token ends with its run, and a set of tokens drops it") @MainActor func ends() async {
        var tokens: Set<SignalToken> = []
        let done = Broadcast<Void, Never>()
        let ends = done.signal.record()
        for round in 1...200 {
            let signal: Signal<Int, LawFailure> = round.isMultiple(of: 2) ? .just(1) : .fail(LawFailure())
            let token = signal.isolatedSink(bufferSize: 1, whenFull: .suspend, onValue: { _ in }) { _ in done.send() }
            token.store(in: &tokens)
            _ = await ends.values(round)
            #expect(token.isEnded)
        }
        #expect(tokens.count < 20)
        let log = Log()
        let seen = log.seen.signal.record()
        let token = Signal<Int, LawFailure>.just(1).isolatedSink(
            on: log, bufferSize: 1, whenFull: .suspend, onValue: { $0.note($1) }, onCompletion: { $0.end($1) })
        #expect(await seen.values(2) == [1, -1])
        #expect(await log.completion == .finished)
        #expect(token.isEnded)
    }

    @Test("S23 values sent in one turn of the actor wait, as many as the call states") @MainActor func burst() async {
        let discards = Discards(of: Burst.self)
        let source = Broadcast<Burst, LawFailure>()
        let arrived = Broadcast<Int, Never>(bufferSize: .max)
        let all = arrived.signal.record()
        var values: [[Int]] = [[], [], []]
        var failure: LawFailure?
        let tokens = [BufferingStrategy<LawFailure>.dropNewest, .dropOldest, .fail(LawFailure(3))].enumerated().map {
            run in
            source.signal.isolatedSink(
                bufferSize: run.offset == 0 ? .max : 20, whenFull: run.element,
                onValue: {
                    values[run.offset].append($0.number)
                    arrived.send($0.number)
                },
                onCompletion: {
                    if case .failure(let fault) = $0 { failure = fault }
                    arrived.send(0)
                })
        }
        for number in 1...100 { source.send(Burst(number: number)) }
        _ = await all.values(100 + 36 + 36 + 1)
        #expect(values[0] == Array(1...100))
        #expect(values[1] == Array(1...16) + Array(81...100))
        #expect(values[2] == Array(1...36) && failure == LawFailure(3))
        #expect(discards.payloads.count == 64 + 1)
        withExtendedLifetime(tokens) {}
    }

    private struct Burst: Sendable { let number: Int }

    @Test("S8 S34 an actor follows a signal without being retained") func isNotKept() async {
        let source = Broadcast<Int, LawFailure>()
        let cancelled = Broadcast<Void, Never>()
        let end = cancelled.signal.record()
        do {
            let log = Log()
            let seen = log.seen.signal.record()
            await log.follow(source.signal.handleEvents(onCancel: { cancelled.send() }))
            for number in 1...100 { source.send(number) }
            #expect(await seen.values(100) == Array(1...100))
            #expect(await log.values == Array(1...100))
        }
        // The actor owns the token, which is released with it.
        #expect(await end.values(1).count == 1)
    }

    /// Reports its release.
    private final class Kept: Sendable {
        let released = Broadcast<Void, Never>()
        deinit { released.send() }
    }

    @Test(
        "S30 S31 after a cancel before the actor's turn, nothing is delivered there, and the run is over",
        arguments: [false, true])
    func cancel(isEnd: Bool) async {
        let turns = Turns()
        let patient = Patient(turns)
        let due = turns.arrived.signal.record()
        let source = Broadcast<Int, LawFailure>()
        let seen = Lock<[Int]>([])
        var kept: Kept? = Kept()
        let released = kept?.released.signal.record()
        let token = source.signal.isolatedSink(
            on: patient, bufferSize: 9, whenFull: .dropNewest,
            onValue: { [kept] _, value in withExtendedLifetime(kept) { seen.withLock { $0.append(value) } } },
            onCompletion: { _, _ in seen.withLock { $0.append(-1) } })
        kept = nil
        source.send(1)
        _ = await due.values(1)
        turns.run()
        #expect(seen.withLock { $0 } == [1])
        if isEnd { source.send(completion: .finished) } else { source.send(2) }
        _ = await due.values(2)
        token.cancel()
        turns.run()
        #expect(seen.withLock { $0 } == [1])
        // The actor still exists, and no further job was enqueued on it.
        _ = await released?.values(1)
        #expect(due.values == [0, 0])
        withExtendedLifetime(patient) {}
    }

    @Test(
        "S30 S48 an actor that follows an endless source gets its turns, and can cancel it",
        arguments: [1, 2, 16, 1_000])
    @MainActor func givesUp(_ capacity: Int) async {
        var seen = 0
        let token = Signal<Int, LawFailure>.sequence(0...).isolatedSink(bufferSize: capacity, whenFull: .suspend) { _ in
            seen += 1
        }
        for turn in 1...20 {
            await Task { @MainActor in }.value
            #expect(seen <= (turn + 1) * 200, "It had \(seen) values in \(turn) turns.")
        }
        token.cancel()
        let last = seen
        await Task { @MainActor in }.value
        #expect(seen == last && token.isEnded)
    }

    @Test("S48 an actor gets its turns while another thread never stops sending") @MainActor func givesUpInAFlood()
        async
    {
        let source = Broadcast<Int, LawFailure>()
        var seen = 0
        var turns = 0
        let token = source.signal.isolatedSink(bufferSize: 4, whenFull: .dropOldest) { [source] value in
            seen += 1
            if value < 20_000 { onThreads(1) { _ in source.send(value + 1) } }
        }
        source.send(1)
        while seen < 1_000 {
            await Task { @MainActor in }.value
            turns += 1
        }
        #expect(turns > 10)
        token.cancel()
    }
}
