import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite("Attaching", .timeLimit(.minutes(5))) struct AttachingTests {
    @Test("S1 every kind of source delivers the upstream once, and first") func upstreamFirst() {
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

    @Test("S3 a token created before the run works inside its first value") func tokenInside() {
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

    @Test("S4 a second upstream is cancelled, and the first continues") func secondUpstream() {
        let probe = Probe<Int, Never>(.faulty)
        let recorder = probe.signal.record()
        #expect(probe.sendSecondUpstream() == 1)
        probe.send(1)
        #expect(recorder.values == [1] && probe.liveCount == 1)
        recorder.cancel()
    }

    /// The sink of `sink(…)` protects itself, even behind a trusted source.
    @Test("S4 a second upstream at the end of a chain") func secondUpstreamAtTheEnd() {
        let probe = Probe<Int, Never>(.faulty)
        let values = Lock<[Int]>([])
        let token = probe.rawSignal.sink { value in values.withLock { $0.append(value) } }
        #expect(probe.sendSecondUpstream() == 1)
        probe.send(1)
        #expect(values.withLock { $0 } == [1])
        token.cancel()
    }

    @Test("S1 if a source ends without an upstream, the sink still gets one first") func noUpstream() {
        let recorder = Signal<Int, LawFailure> { $0.receive(completion: .failure(LawFailure(3))) }.record()
        #expect(recorder.history == [.upstream, .failure(LawFailure(3))])
        report(recorder.breaches)
    }

    @Test("S1 S7 the upstream arrives first, and alone, while another thread uses the source") func upstreamAlone() {
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

    @Test("S5 with a token cancelled before its run, nothing is requested, and the upstream is cancelled")
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

    @Test("S6 teardown runs once, whichever of finish, failure and cancel comes first") func teardown() {
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

    @Test("S5 S31 R-L1 a sink that cancels on an upstream made by the fence gets no end") func madeUpUpstream() {
        let ends = Count()
        Signal<Int, Never> { $0.receive(completion: .finished) }
            .attach(Sink(onUpstream: { $0.cancel() }, onValue: { _ in .none }, onCompletion: { _ in ends.raise() }))
        #expect(ends.value == 0)
        #expect(Signal<Int, Never> { $0.receive(completion: .finished) }.record().history == [.upstream, .finished])
    }

    private typealias Input = Signal<Int, LawFailure>
    /// Every operator that attaches several signals.
    private static let joining: [@Sendable (Input) -> Signal<Int, LawFailure>] = [
        { $0.race(with: $0) }, { .race([$0, $0, $0]) }, { $0.prefix(until: $0) }, { $0.drop(until: $0) },
        { $0.zip($0).map { $0 + $1 } }, { $0.zip($0, $0).map { $0 + $1 + $2 } }, { .zip([$0, $0]).map { $0[0] } },
        { $0.combineLatest($0).map { $0 + $1 } }, { $0.combineLatest($0, $0).map { $0 + $1 + $2 } },
        { .combineLatest([$0, $0]).map { $0[0] } }, { $0.withLatest(from: $0).map { $0 + $1 } },
        { $0.sample(by: $0) }, { $0.merge(with: $0) }, { .merge([$0, $0]) }, { $0.append($0) }, { $0.prepend($0) },
        { input in input.flatMap { _ in input } }, { input in input.concatMap { _ in input } },
        { input in input.flatMapLatest { _ in input } }, { input in input.flatMapFirst { _ in input } },
        { input in input.catch { _ in input } }, { $0.retry(2) }, { $0.repeat(2) },
        { input in input.retry(when: { _ in input }) }, { $0.share() }, { $0.share(replay: 2) }, { $0.cache() },
        { $0.multicast().autoconnect() }, { $0.subscribe(on: .immediate) },
        { input in Signal<Signal<Int, LawFailure>, LawFailure>.just(input).switchToLatest() },
    ]

    @Test("S5 R-L2 if a sink cancels on receiving its upstream, nothing stays attached", arguments: joining.indices)
    func nothingBegins(_ index: Int) {
        let begun = Count()
        let ended = Count()
        let input = Input.deferred {
            begun.raise()
            return Input.just(1).append(.never()).handleEvents(onCancel: { ended.raise() })
        }
        let recorder = Self.joining[index](input).record(demand: .max(5), cancelAt: 0)
        #expect(recorder.history == [.upstream] && recorder.breaches.isEmpty)
        // Some operators attach their first signal, and no other, before the sink gets its upstream.
        #expect(begun.value == ended.value && begun.value <= 1)
        #expect(begun.value == 0 || Self.passing.contains(index))
    }

    @Test("S5 R-L2 if a sink cancels inside its first value, nothing is attached after it", arguments: joining.indices)
    func nothingFollows(_ index: Int) {
        let begun = Count()
        let ended = Count()
        let isOver = Count()
        let late = Count()
        let input = Input.deferred {
            begun.raise()
            if isOver.value > 0 { late.raise() }
            return Input.just(1).append(.never()).handleEvents(onCancel: { ended.raise() })
        }
        let recorder = Self.joining[index](input).record(cancelAt: 1) { _, event in
            if case .value = event { isOver.raise() }
        }
        recorder.cancel()
        #expect(begun.value == ended.value && late.value == 0 && recorder.breaches.isEmpty)
    }

    /// The operators that attach their first signal before the sink gets its upstream.
    private static let passing = 16...19
}
