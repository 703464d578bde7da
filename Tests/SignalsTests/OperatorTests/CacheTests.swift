import Dispatch
import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct CacheTests {
    @Test("S2 S38 S39 it runs once, and every sink gets all of it", arguments: [false, true]) func once(fails: Bool) {
        let probe = Probe<Int, LawFailure>()
        let cached = probe.rawSignal.cache()
        #expect(probe.attachCount == 0)
        let early = cached.record()
        probe.send(1)
        probe.send(2)
        let late = cached.record()
        probe.send(3)
        if fails { probe.fail(LawFailure(4)) } else { probe.finish() }
        let after = (0..<2).map { _ in cached.record() }
        let end: Recorder<Int, LawFailure>.Event = fails ? .failure(LawFailure(4)) : .finished
        for recorder in [early, late] + after {
            #expect(recorder.history == [.upstream, .value(1), .value(2), .value(3), end])
            report(recorder.breaches)
        }
        #expect(probe.attachCount == 1)
    }

    @Test("S38 a result is kept when all sinks have left") func kept() {
        let probe = Probe<Int, LawFailure>()
        let cached = probe.rawSignal.cache()
        let first = cached.record()
        probe.send(1)
        probe.finish()
        first.cancel()
        for _ in 0..<3 {
            let other = cached.record(demand: .none)
            other.cancel()
        }
        #expect(cached.record().values == [1] && probe.attachCount == 1)
    }

    @Test("S6 S38 S47 a run that all sinks leave before its first value is cancelled once, and begins again")
    func interrupted() {
        let probe = Probe<Int, LawFailure>()
        let cached = probe.rawSignal.cache()
        let first = cached.record()
        let second = cached.record()
        first.cancel()
        #expect(probe.liveCount == 1)
        second.cancel()
        #expect(probe.liveCount == 0 && probe.history.count { $0 == .cancelled } == 1)
        let third = cached.record()
        probe.send(2)
        probe.finish()
        #expect(third.values == [2] && cached.record().values == [2] && probe.attachCount == 2)
    }

    @Test("S47 a run that has delivered a value stays when all sinks leave, and waits for the next sink")
    func stays() {
        let probe = Probe<Int, LawFailure>()
        let cached = probe.signal.cache()
        let first = cached.record()
        probe.send(1)
        first.cancel()
        #expect(probe.liveCount == 1 && probe.history.count { $0 == .cancelled } == 0)
        let second = cached.record()
        #expect(second.values == [1])
        probe.send(2)
        second.cancel()
        let third = cached.record()
        probe.send(3)
        probe.finish()
        #expect(third.history == [.upstream, .value(1), .value(2), .value(3), .finished])
        #expect(probe.attachCount == 1 && cached.record().values == [1, 2, 3])
    }

    @Test("S47 a run without a sink requests nothing, and later continues where it was", arguments: [1, 2, 3])
    func waits(_ taken: Int) {
        let made = Count()
        let cached = Signal<Int, Never>.unfold(0) { state in
            made.raise()
            state += 1
            return state
        }.cache()
        for _ in 0..<5 { #expect(cached.prefix(taken).record().values == Array(1...taken)) }
        #expect(made.value == taken)
        #expect(cached.prefix(7).record().values == Array(1...7) && made.value == 7)
    }

    /// Upstreams that differ in how they end, if at all.
    enum Upstream: CaseIterable, Sendable {
        case just, many, endless, task, elsewhere, failing, failingLater, empty
        var values: [Int] {
            switch self {
            case .failing, .empty: []
            case .many, .endless, .failingLater: [7, 8]
            default: [7]
            }
        }

        func signal(_ runs: Count) -> Signal<Int, LawFailure> {
            .deferred {
                runs.raise()
                return switch self {
                case .just: .just(7)
                case .many: .sequence([7, 8])
                case .endless: .sequence(7...)
                case .task: .task { () async throws(LawFailure) in 7 }
                case .elsewhere: Signal<Int, LawFailure>.just(7).receive(on: DispatchQueue.global())
                case .failing: .fail(LawFailure(3))
                case .failingLater: Signal<Int, LawFailure>.sequence([7, 8]).append(.fail(LawFailure(3)))
                case .empty: .empty()
                }
            }
        }
    }

    @Test(
        "S38 S47 callers that await it one after another get their value from one run", arguments: Upstream.allCases,
        [1, 2, 3, 50])
    func inSequence(_ upstream: Upstream, _ count: Int) async {
        let runs = Count()
        let cached = upstream.signal(runs).cache()
        for _ in 0..<count {
            let result = await Result { () async throws(LawFailure) in try await cached.value() }
            #expect(result == (upstream == .failing ? .failure(LawFailure(3)) : .success(upstream.values.first)))
        }
        for _ in 0..<count {
            let recorder = cached.first().record()
            _ = await recorder.end()
            #expect(recorder.values == Array(upstream.values.prefix(1)))
        }
        let all = await Result { () async throws(LawFailure) in try await cached.prefix(2).collect().value() }
        switch upstream {
        case .failing: #expect(all == .failure(LawFailure(3)))
        default: #expect(all == .success(upstream.values))
        }
        #expect(runs.value == 1)
    }

    @Test("S38 S47 concurrent callers get their value from one run", arguments: Upstream.allCases, [1, 2, 3, 50])
    func atOnce(_ upstream: Upstream, _ count: Int) async {
        for _ in 0..<10 {
            let runs = Count()
            let cached = upstream.signal(runs).cache()
            let results = await withTaskGroup(of: Result<Int?, LawFailure>.self) { group in
                for _ in 0..<count {
                    group.addTask { await Result { () async throws(LawFailure) in try await cached.value() } }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let expected: Result<Int?, LawFailure> =
                upstream == .failing ? .failure(LawFailure(3)) : .success(upstream.values.first)
            #expect(results == Array(repeating: expected, count: count) && runs.value == 1)
        }
    }

    @Test("S34 S47 a kept run is cancelled when its signal and its sinks are gone") func letGo() {
        let probe = Probe<Int, LawFailure>()
        var cached: Signal<Int, LawFailure>? = probe.signal.cache()
        let first = cached?.record()
        let second = cached?.record()
        probe.send(1)
        first?.cancel()
        cached = nil
        #expect(probe.liveCount == 1)
        probe.send(2)
        #expect(second?.values == [1, 2])
        second?.cancel()
        #expect(probe.liveCount == 0)
    }

    @Test("S11 S12 S14 a sink gets as many values as it requests, and then the end") func demand() {
        let cached = Signal<Int, Never>.sequence(1...100).cache()
        let first = cached.record(demand: .max(2))
        let second = cached.record(demand: .max(3))
        #expect(first.values == [1, 2] && second.values == [1, 2, 3] && !second.isEnded)
        first.request(.unlimited)
        #expect(first.values == Array(1...100) && first.isEnded && second.values == [1, 2, 3])
        second.request(.unlimited)
        #expect(second.values == Array(1...100) && second.isEnded)
    }

    @Test("S38 sinks on several threads share one run") func threads() async {
        for _ in 0..<200 {
            let runs = Count()
            let cached = Signal<Int, Never>.deferred {
                runs.raise()
                return .sequence(1...20)
            }.cache()
            let recorders = (0..<4).map { _ in Recorder<Int, Never>() }
            onThreads(4) { cached.attach(recorders[$0].sink) }
            // A value that one thread sent while another attached may arrive a moment later.
            for recorder in recorders { _ = await recorder.end() }
            #expect(runs.value == 1 && recorders.allSatisfy { $0.values == Array(1...20) && $0.isEnded })
        }
    }

    @Test("S34 the cached values are released with the signal") func releases() {
        weak var watched: Count?
        do {
            let held = Count()
            watched = held
            let cached = Signal<Count, Never>.just(held).cache()
            #expect(cached.record().values.count == 1 && cached.record().values.first === held)
        }
        #expect(watched == nil)
    }
}

extension Result where Success: Sendable {
    /// Creates a result from the value or the error of an asynchronous closure.
    fileprivate init(_ body: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
