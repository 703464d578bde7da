import Dispatch
import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite("Time", .timeLimit(.minutes(5))) struct TimeTests {
    typealias Stage = @Sendable (Signal<Int, LawFailure>, any SignalScheduler) -> Signal<[Int], LawFailure>

    /// Every operator with a clock, and its output for 1, 2, 3 where no wait takes time.
    private static let stages: [(name: String, output: [[Int]], make: Stage)] = [
        ("delay", [[1], [2], [3]], { $0.delay(for: .seconds(9), on: $1).map { [$0] } }),
        ("debounce", [[1], [2], [3]], { $0.debounce(for: .seconds(9), on: $1).map { [$0] } }),
        ("throttle", [[1], [2], [3]], { $0.throttle(for: .seconds(9), on: $1, latest: true).map { [$0] } }),
        ("collect", [[1], [2], [3]], { $0.collect(every: .seconds(9), on: $1) }),
        ("measureInterval", [[0], [0], [0]], { $0.measureInterval(on: $1).map { [Int($0 / .seconds(1))] } }),
        (
            "retry", [[1], [2], [3], [1], [2], [3]],
            { upstream, scheduler in
                let attempts = Count()
                return Signal<Int, LawFailure>.deferred {
                    attempts.raise() == 1 ? upstream.append(.fail(LawFailure())) : upstream
                }.retry(Backoff(attempts: 1, first: .seconds(9)), on: scheduler).map { [$0] }
            }
        ),
        ("share", [[1], [2], [3]], { $0.share(replay: 1, linger: .seconds(9), on: $1).map { [$0] } }),
    ]

    @Test("S45 where time stands still, every wait ends at once", arguments: stages.indices)
    func standsStill(_ index: Int) {
        let (name, output, make) = Self.stages[index]
        let recorder = Recorder<[Int], LawFailure>()
        #expect(onSmallStack { make(.sequence(1...3), .immediate).attach(recorder.sink) })
        #expect(recorder.history == [.upstream] + output.map { .value($0) } + [.finished], "\(name)")
        report(recorder.breaches)
        let many = Recorder<[Int], LawFailure>()
        #expect(onSmallStack { make(.sequence(1...20_000), .immediate).attach(many.sink) })
        #expect(many.isEnded && many.breaches == [], "\(name)")
    }

    @Test("S1 S9 S45 a timeout that expires at once comes after the upstream") func immediateTimeout() {
        let recorder = Signal<Int, LawFailure>.never()
            .timeout(after: .seconds(9), on: .immediate) { LawFailure() }.record()
        #expect(recorder.history == [.upstream, .failure(LawFailure())])
        report(recorder.breaches)
        let probe = Probe<Int, LawFailure>()
        let finished = probe.rawSignal.timeout(after: .seconds(9), on: .immediate).record()
        #expect(finished.history == [.upstream, .finished] && probe.liveCount == 0)
        report(finished.breaches)
    }

    @Test("S1 S9 a very short timeout comes after the upstream") func tinyTimeout() async {
        for round in 0..<300 {
            let recorder = Signal<Int, LawFailure>.never()
                .timeout(after: .nanoseconds(round * 100), on: DispatchQueue.global()) { LawFailure() }.record()
            _ = await recorder.end()
            #expect(recorder.history == [.upstream, .failure(LawFailure())])
            report(recorder.breaches)
        }
    }

    private static let delivering: [(name: String, make: Stage)] = [
        ("delay", { $0.delay(for: .milliseconds(1), on: $1).map { [$0] } }),
        ("debounce", { $0.debounce(for: .milliseconds(1), on: $1).map { [$0] } }),
        ("throttle", { $0.throttle(for: .milliseconds(1), on: $1, latest: true).map { [$0] } }),
        ("timeout", { $0.timeout(after: .seconds(900), on: $1).map { [$0] } }),
        ("collect", { $0.collect(every: .milliseconds(1), on: $1, atMost: 3) }),
    ]

    @Test("S37 values and the end arrive on the operator's queue", arguments: delivering.indices, [nil, LawFailure()])
    func onItsQueue(_ index: Int, failure: LawFailure?) async {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "TimeTests")
        queue.setSpecific(key: key, value: true)
        let strays = Count()
        let probe = Probe<Int, LawFailure>()
        let recorder = Self.delivering[index].make(probe.rawSignal, queue).record { _, event in
            if event != .upstream && DispatchQueue.getSpecific(key: key) != true { strays.raise() }
        }
        for number in 1...2_000 { probe.send(number) }
        if let failure { probe.fail(failure) } else { probe.finish() }
        #expect(await recorder.end() == failure.map { .failure($0) } ?? .finished)
        #expect(strays.value == 0, "\(Self.delivering[index].name)")
        if failure == nil { #expect(recorder.values.last?.last == 2_000) }
        report(recorder.breaches)
    }

    @Test("S37 a throttle's first value, a full array and a flush wait for the scheduler, but not for time")
    func onVirtualTime() {
        let scheduler = VirtualScheduler()
        let probe = Probe<Int, LawFailure>()
        let throttled = probe.rawSignal.throttle(for: .seconds(1), on: scheduler, latest: true).record(clock: scheduler)
        probe.send(1)
        #expect(throttled.values.isEmpty)
        scheduler.advance(by: .zero)
        #expect(throttled.values == [1])
        probe.send(2)
        probe.finish()
        #expect(throttled.values == [1] && !throttled.isEnded)
        scheduler.run()
        #expect(throttled.history == [.upstream, .value(1), .value(2), .finished])
        #expect(scheduler.now == .zero, "The flush waited for a timer.")
        let full = probe.rawSignal.collect(every: .seconds(1), on: scheduler, atMost: 2).record()
        probe.send(1)
        probe.send(2)
        #expect(full.values.isEmpty)
        scheduler.run()
        #expect(full.values == [[1, 2]] && scheduler.now == .zero)
        full.cancel()
    }

    @Test("S45 an interval takes one step where time stands still") func interval() {
        let recorder = Recorder<Int, Never>()
        #expect(onSmallStack { Signal<Int, Never>.interval(.seconds(1), on: .immediate).attach(recorder.sink) })
        #expect(recorder.history == [.upstream, .value(0)])
        recorder.cancel()
    }
}
