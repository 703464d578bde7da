import Signals
import SignalsTesting
import Testing

@Suite("Attaching", .timeLimit(.minutes(5))) struct AttachingTests {
    @Test("S1 the upstream comes once and first, from every kind of source") func upstreamFirst() {
        let sources: [Signal<Int, Never>] = [
            .just(1), .empty(), .sequence(1...2), .deferred { .just(1) },
            .create { emitter in
                emitter.send(1)
                return {}
            }, Broadcast<Int, Never>().signal, CurrentValue<Int, Never>(1).signal,
        ]
        for source in sources {
            let recorder = source.record()
            recorder.cancel()
            let history = recorder.history
            #expect(history.first == .upstream && history.count { $0 == .upstream } == 1)
        }
    }

    @Test("S2 building, copying and dropping a signal does nothing; each attach runs it once") func cold() {
        let runs = Count()
        do {
            let signal = Signal<Int, Never>.deferred {
                runs.raise(); return .just(1)
            }.map { $0 }.share()
            let copy = signal
            _ = [signal, copy]
        }
        #expect(runs.value == 0)
        let signal = Signal<Int, Never>.deferred {
            runs.raise(); return .just(1)
        }
        #expect(signal.record().values == [1] && signal.record().values == [1])
        #expect(runs.value == 2)
    }

    @Test("S3 a token that exists before the run works inside its first value") func tokenInside() {
        let token = SignalToken()
        let count = Count()
        Signal<Int, Never>.sequence(1...1_000).sink(
            cancelledBy: token,
            onValue: { _ in
                count.raise()
                token.cancel()
            }, onCompletion: { _ in count.raise() })
        #expect(count.value == 1 && token.isEnded)
    }

    @Test("S4 a second upstream is cancelled, and the first goes on") func secondUpstream() {
        let probe = Probe<Int, Never>(.faulty)
        let recorder = probe.signal.record()
        #expect(probe.sendSecondUpstream() == 1)
        probe.send(1)
        #expect(recorder.values == [1] && probe.liveCount == 1)
        recorder.cancel()
    }

    /// The sink of `sink(…)` protects itself, also behind a source that is trusted.
    @Test("S4 a second upstream at the end of a chain") func secondUpstreamAtTheEnd() {
        let probe = Probe<Int, Never>(.faulty)
        let values = Lock<[Int]>([])
        let token = probe.rawSignal.sink { value in values.withLock { $0.append(value) } }
        #expect(probe.sendSecondUpstream() == 1)
        probe.send(1)
        #expect(values.withLock { $0 } == [1])
        token.cancel()
    }

    @Test("S1 a source that ends without an upstream: the sink gets one first") func noUpstream() {
        let recorder = Signal<Int, LawFailure> { $0.receive(completion: .failure(LawFailure(3))) }.record()
        #expect(recorder.history == [.upstream, .failure(LawFailure(3))])
        report(recorder.breaches)
    }

    @Test("S1 S7 the upstream comes first, and alone, from a source that others use already") func upstreamAlone() {
        for _ in 0..<2_000 {
            let probe = Probe<Int, LawFailure>(.faulty)
            let recorder = Recorder<Int, LawFailure>(demand: .unlimited)
            onThreads(2) { thread in
                if thread == 0 { probe.signal.attach(recorder.sink) } else { probe.fail(LawFailure()) }
            }
            if !recorder.breaches.isEmpty { report(recorder.breaches) }
            recorder.cancel()
        }
    }

    @Test("S5 a token that was cancelled before its run: nothing is asked, the upstream is cancelled")
    func earlyCancel() {
        let token = SignalToken()
        token.cancel()
        let probe = Probe<Int, Never>()
        probe.signal.sink(cancelledBy: token, onValue: { _ in }, onCompletion: { _ in })
        #expect(probe.history == [.attached, .cancelled])
    }

    @Test("S5 the closures of a run that was cancelled before it began are released") func earlyRelease() {
        let scheduler = VirtualScheduler()
        weak var watched: Count?
        let token: SignalToken
        do {
            let count = Count()
            watched = count
            token = Signal<Int, Never>.just(1).subscribe(on: scheduler).sink { _ in count.raise() }
        }
        #expect(watched != nil)
        token.cancel()
        #expect(watched == nil)
    }

    @Test("S6 teardown runs once, whichever of finish, failure and cancel is first") func teardown() {
        for round in 0..<2_000 {
            let teardowns = Count()
            let emitters = Lock<Emitter<Int, LawFailure>?>(nil)
            let recorder = Signal<Int, LawFailure>.create { emitter in
                emitters.withLock { $0 = emitter }
                return { teardowns.raise() }
            }.record()
            let emitter = emitters.withLock { $0.take() }
            onThreads(round.isMultiple(of: 2) ? 3 : 2) { thread in
                switch thread {
                case 0: recorder.cancel()
                case 1: emitter?.finish()
                default: emitter?.fail(LawFailure())
                }
            }
            #expect(teardowns.value == 1)
            if !recorder.breaches.isEmpty { report(recorder.breaches) }
        }
    }

    @Test("S6 a resource is released once, before the end or at the cancel") func using() {
        let log = Lock<[String]>([])
        let note: @Sendable (String) -> Void = { line in log.withLock { $0.append(line) } }
        func lines(_ inner: Signal<Int, LawFailure>) -> Signal<Int, LawFailure> {
            .using(
                acquire: {
                    note("acquire"); return 1
                }, release: { _ in note("release") }, signal: { _ in inner })
        }
        let finished = lines(.just(1)).record { _, event in if event == .finished { note("end") } }
        #expect(finished.isEnded && log.withLock { $0 } == ["acquire", "release", "end"])
        log.withLock { $0 = [] }
        let cancelled = lines(.never()).record()
        cancelled.cancel()
        cancelled.cancel()
        #expect(log.withLock { $0 } == ["acquire", "release"])
    }

    @Test("S5 S31 R-L1 a sink that cancels on receiving a made-up upstream gets no end") func madeUpUpstream() {
        let ends = Count()
        Signal<Int, Never> { $0.receive(completion: .finished) }
            .attach(Sink(onUpstream: { $0.cancel() }, onValue: { _ in .none }, onCompletion: { _ in ends.raise() }))
        #expect(ends.value == 0)
        #expect(Signal<Int, Never> { $0.receive(completion: .finished) }.record().history == [.upstream, .finished])
    }
}
