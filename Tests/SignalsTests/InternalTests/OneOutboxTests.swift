import Dispatch
import Testing

@testable import Signals
@testable import SignalsTesting

private struct Closed: Error, Equatable {}

extension OneValueOutbox {
    fileprivate convenience init(_ sink: Sink<Value, Closed>) {
        self.init(onValue: sink.onValue) { failure in
            sink.receive(completion: failure.map { .failure($0 as? Closed ?? Closed()) } ?? .finished)
        }
    }
}

@Suite("The outbox of one value", .timeLimit(.minutes(5))) struct OneOutboxTests {
    /// An object that reports its release.
    private final class Item: Sendable {
        private let onRelease: @Sendable () -> Void

        init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

        deinit { onRelease() }
    }

    private func start<Value>(
        _ recorder: Recorder<Value, Closed>, _ work: (OneOutbox) -> Void = { _ in }
    ) -> OneValueOutbox<Value> {
        let run = OneValueOutbox(recorder.sink)
        run.start(recorder.sink.onUpstream, work)
        return run
    }

    @Test("S14 A value waits until it is requested, and then arrives with the end", arguments: [false, true])
    func value(isRequestedFirst: Bool) async {
        let recorder = Recorder<Int, Closed>(demand: .none)
        let run = start(recorder)
        if isRequestedFirst { recorder.request(.max(1)) }
        run.finish(with: 1)
        if !isRequestedFirst {
            // Open demand of zero requests nothing from work that can wait.
            run.request(Demand.none.opened)
            #expect(recorder.values.isEmpty && !run.isClosed)
            recorder.request(.max(1))
        }
        #expect(await recorder.end() == .finished)
        #expect(recorder.values == [1] && recorder.breaches == [])
    }

    @Test("S14 A failure needs no request") func failure() async {
        let recorder = Recorder<Int, Closed>(demand: .none)
        start(recorder).fail(Closed())
        #expect(await recorder.end() == .failure(Closed()))
        #expect(recorder.values.isEmpty)
    }

    @Test("S30 A sink that cancels inside its value gets no end, and one that cancels at once starts no work")
    func cancels() {
        let (late, early) = (Recorder<Int, Closed>(cancelAt: 1), Recorder<Int, Closed>(cancelAt: 0))
        ThreadContext.wait {
            let run = OneValueOutbox(late.sink)
            run.start(late.sink.onUpstream) { _ in run.finish(with: 1) }
            _ = start(early) { _ in Issue.record("The work of a cancelled run was started.") }
        }
        #expect(late.values == [1] && !late.isEnded && early.values.isEmpty && !early.isEnded)
    }

    @Test("A thread that waits delivers the value that was made while it attached") func held() {
        let recorder = Recorder<Int, Closed>()
        ThreadContext.wait {
            let run = OneValueOutbox(recorder.sink)
            run.start(recorder.sink.onUpstream) { _ in
                run.finish(with: 1)
                #expect(recorder.values.isEmpty)
            }
        }
        #expect(recorder.values == [1] && recorder.completion == .finished)
    }

    @Test("Repeated work replaces its earlier result") func repeated() async throws {
        let recorder = Recorder<Int, Closed>()
        let run = start(recorder)
        #expect(throws: Closed.self) { try run.fill { throw Closed() } }
        try run.fill { 1 }
        try run.fill { 2 }
        run.finish()
        #expect(await recorder.end() == .finished)
        #expect(recorder.values == [2])
    }

    @Test("R1 A result is delivered after the work, and an unwanted one is not released inside the work")
    func outsideWork() async {
        let executor = Executor(label: "test")
        let recorder = Recorder<Int, Closed> { _, _ in #expect(!ThreadContext.isWorking) }
        let run = start(recorder)
        executor.async { run.finish(with: 1) }
        #expect(await recorder.end() == .finished)
        await withCheckedContinuation { continuation in
            let recorder = Recorder<Item, Closed>(demand: .none)
            let run = start(recorder)
            executor.async {
                recorder.cancel()
                run.finish(
                    with: Item {
                        #expect(!ThreadContext.isWorking)
                        continuation.resume()
                    })
            }
        }
    }

    @Test("A run that is refused inside other work fails before that work ends") func refused() async {
        let (executor, isIn) = (Executor(label: "test"), DispatchSemaphore(value: 0))
        let recorder = Recorder<Int, Closed> { _, event in
            if case .upstream = event { return }
            isIn.signal()
        }
        let isDelivered = await withCheckedContinuation { continuation in
            executor.async {
                start(recorder).refuse(Closed())
                let outcome = isIn.wait(timeout: .now() + .seconds(Patience.seconds))
                continuation.resume(returning: outcome == .success)
            }
        }
        #expect(isDelivered && recorder.completion == .failure(Closed()))
    }

    @Test("S7 S30 S34 Concurrent requests, cancels and outcomes deliver at most one value, and release each one")
    func atOnce() {
        let (made, released) = (Count(), DispatchSemaphore(value: 0))
        let recorders = (0..<2_000).map { _ in Recorder<Int, Closed>(demand: .none) }
        let runs = recorders.map { recorder in
            let sink = Sink<(Int, Item), Closed>(
                onUpstream: { recorder.sink.receive(upstream: $0) }, onValue: { recorder.sink.receive($0.0) },
                onCompletion: { recorder.sink.receive(completion: $0) })
            let run = OneValueOutbox(sink)
            run.start(sink.onUpstream) { _ in }
            return run
        }
        let isOver = Rounds.run(recorders.count, threads: 3) { thread, round in
            switch thread {
            case 0 where round % 7 == 0: runs[round].fail(Closed())
            case 0:
                made.raise()
                runs[round].finish(with: (round, Item { released.signal() }))
            case 1: recorders[round].request(.max(1))
            default: if round % 3 > 0 { recorders[round].cancel() }
            }
        } check: { _ in
            true
        }
        #expect(isOver)
        for (round, recorder) in recorders.enumerated() {
            if round % 3 == 0 {
                #expect(recorder.waits(for: "the end") { $0.isEnded })
                #expect(recorder.values == (round % 7 == 0 ? [] : [round]))
            }
            #expect(recorder.breaches == [])
        }
        for _ in 0..<made.value {
            #expect(released.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
        }
    }
}
