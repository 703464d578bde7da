import Signals
import SignalsLaws
import SignalsTesting
import Testing

/// A stage that drops values behind a scheduler: its request for another value reaches the source a turn later.
///
/// The tests compare random chains on virtual time with functions of arrays, which have no demand.
@Suite(.timeLimit(.minutes(5))) struct HopThenDropTests {
    private typealias Numbers = Signal<Int, LawFailure>
    /// The values sent, in bursts; each burst is sent at one instant.
    private typealias Bursts = [[Int]]

    private struct Stage: Sendable {
        let name: String
        let apply: @Sendable (Numbers, VirtualScheduler) -> Numbers
        let model: @Sendable (Bursts) -> Bursts

        init(
            _ name: String, _ apply: @escaping @Sendable (Numbers, VirtualScheduler) -> Numbers,
            model: @escaping @Sendable (Bursts) -> Bursts = { $0 }
        ) {
            (self.name, self.apply, self.model) = (name, apply, model)
        }

        /// Creates a stage whose values do not depend on time.
        init(
            _ name: String, _ apply: @escaping @Sendable (Numbers) -> Numbers,
            values model: @escaping @Sendable ([Int]) -> [Int]
        ) {
            self.init(
                name, { signal, _ in apply(signal) },
                model: { bursts in
                    // The values that a burst adds to those of the bursts before it.
                    bursts.indices.map { last in
                        let before = last == 0 ? [] : model(bursts[..<last].flatMap { $0 })
                        return Array(model(bursts[...last].flatMap { $0 }).dropFirst(before.count))
                    }
                })
        }
    }

    private static let plain: [Stage] = [
        Stage("map", { $0.map { $0 + 1 } }, values: { $0.map { $0 + 1 } }),
        Stage("merge", { signal, _ in signal.merge(with: .never()) }),
        Stage("flatMap", { signal, _ in signal.flatMap { .just($0) } }),
        Stage("flatMap of two", { $0.flatMap { .sequence([$0, -$0]) } }, values: { $0.flatMap { [$0, -$0] } }),
        Stage("catch", { signal, _ in signal.catch { Numbers.fail($0) } }),
        Stage("retry", { signal, _ in signal.retry(1) }),
        Stage("append", { signal, _ in signal.append(.empty()) }),
        Stage("prepend", { $0.prepend(7, 8) }, values: { [7, 8] + $0 }),
        Stage("handleEvents", { signal, _ in signal.handleEvents(onValue: { _ in }, onCancel: {}) }),
        Stage("share", { signal, _ in signal.share() }),
        Stage("share(replay:)", { signal, _ in signal.share(replay: 2) }),
        Stage("multicast", { signal, _ in signal.multicast().autoconnect() }),
        Stage("buffer", { signal, _ in signal.buffer(size: 3, whenFull: .dropOldest) }),
        Stage("conflate", { signal, _ in signal.conflate() }),
        Stage("scan", { $0.scan(0, +) }, values: { values in values.indices.map { values[...$0].reduce(0, +) } }),
        Stage("materialize", { signal, _ in signal.materialize().dematerialize() }),
        Stage("fence", { signal, _ in Numbers { signal.attach($0) } }),
        Stage("deferred", { signal, _ in .deferred { signal } }),
        Stage("race", { signal, _ in signal.race(with: .never()) }),
        Stage("switchToLatest", { signal, _ in Signal<Numbers, LawFailure>.just(signal).switchToLatest() }),
        Stage("prefix(until:)", { signal, _ in signal.prefix(until: Numbers.never()) }),
        Stage("collect(1)", { signal, _ in signal.collect(1).map { $0[0] } }),
    ]

    private static let moving: [Stage] = [
        Stage("receive", { $0.receive(on: $1) }),
        Stage("receive twice", { $0.receive(on: $1).map { $0 }.receive(on: $1) }),
        Stage("delay", { $0.delay(for: .seconds(1), on: $1) }),
        Stage("timeout", { $0.timeout(after: .seconds(100_000), on: $1) }),
        Stage("subscribe", { $0.subscribe(on: $1) }),
        Stage("collect(every:)", { $0.collect(every: .seconds(1), on: $1).flatMap { .sequence($0) } }),
        Stage("debounce", { $0.debounce(for: .seconds(1), on: $1) }, model: { $0.map { $0.suffix(1) } }),
        Stage("sample", { $0.sample(every: .seconds(3), on: $1) }, model: { $0.map { $0.suffix(1) } }),
        Stage(
            "throttle", { $0.throttle(for: .milliseconds(700), on: $1, latest: true) },
            model: { $0.map { $0.count < 2 ? $0 : [$0[0], $0[$0.count - 1]] } }),
    ]

    private static let dropping: [Stage] = [
        Stage("filter", { $0.filter { $0 % 3 == 1 } }, values: { $0.filter { $0 % 3 == 1 } }),
        Stage("tryFilter", { $0.tryFilter { $0 > 4 } }, values: { $0.filter { $0 > 4 } }),
        Stage("compactMap", { $0.compactMap { $0 % 2 == 0 ? nil : $0 } }, values: { $0.filter { $0 % 2 != 0 } }),
        Stage("drop", { $0.drop(2) }, values: { Array($0.dropFirst(2)) }),
        Stage("drop(while:)", { $0.drop { $0 < 5 } }, values: { Array($0.drop { $0 < 5 }) }),
        Stage(
            "removeDuplicates", { $0.removeDuplicates { $0 / 4 == $1 / 4 } },
            values: { $0.reduce(into: []) { if ($0.last ?? -100) / 4 != $1 / 4 { $0.append($1) } } }),
        Stage(
            "pairwise", { $0.pairwise().map { $0 * 10 + $1 } }, values: { zip($0, $0.dropFirst()).map { $0 * 10 + $1 } }
        ),
        Stage("ignoreValues", { $0.ignoreValues() }, values: { _ in [] }),
        Stage("drop(until:)", { signal, _ in signal.drop(until: Numbers.just(0)) }),
        Stage("chunked", { $0.chunked { $0 / 5 == $1 / 5 }.map { $0.count } }, values: { chunkCounts($0) }),
        Stage(
            "collect", { $0.collect(2).map { $0.reduce(0, +) } },
            values: { values in stride(from: 0, to: values.count / 2 * 2, by: 2).map { values[$0] + values[$0 + 1] } }),
    ]

    /// Returns the sizes of the chunks that a later value has completed.
    private static func chunkCounts(_ values: [Int]) -> [Int] {
        var counts: [Int] = []
        var last: Int?
        for value in values {
            if let last, last / 5 == value / 5 { counts[counts.count - 1] += 1 } else { counts.append(1) }
            last = value
        }
        return counts.dropLast()
    }

    private static let cutting: [Stage] = [
        Stage("first", { $0.first() }, values: { Array($0.prefix(1)) }),
        Stage("first(where:)", { $0.first { $0 % 5 == 3 } }, values: { Array($0.filter { $0 % 5 == 3 }.prefix(1)) }),
        Stage("tryFirst", { $0.tryFirst { $0 > 6 } }, values: { Array($0.filter { $0 > 6 }.prefix(1)) }),
        Stage("prefix", { $0.prefix(3) }, values: { Array($0.prefix(3)) }),
        Stage("output(at:)", { $0.output(at: 2) }, values: { Array($0.dropFirst(2).prefix(1)) }),
        Stage("output(in:)", { $0.output(in: 1...3) }, values: { Array($0.dropFirst(1).prefix(3)) }),
        Stage(
            "contains", { $0.contains { $0 == 6 }.map { $0 ? 1 : 0 } }, values: { $0.contains(6) ? [1] : [] }),
        Stage(
            "allSatisfy", { $0.allSatisfy { $0 < 6 }.map { $0 ? 1 : 0 } },
            values: { $0.allSatisfy { $0 < 6 } ? [] : [0] }),
        Stage("prefix(while:)", { $0.prefix { $0 < 9 } }, values: { Array($0.prefix { $0 < 9 }) }),
        Stage("everything", { signal, _ in signal }),
    ]

    /// A source, the values that it delivers at once, and a function that sends to it if it is hot.
    private struct Source: Sendable {
        let name: String
        let signal: Numbers
        let first: [Int]
        let send: (@Sendable (Int) -> Void)?
    }

    private static func source(_ generator: inout SeededGenerator) -> Source {
        let many = Array(0..<Int.random(in: 0...40, using: &generator))
        switch Int.random(in: 0..<9, using: &generator) {
        case 0, 1, 2:
            let source = Broadcast<Int, LawFailure>()
            return Source(name: "Broadcast", signal: source.signal, first: [], send: { source.send($0) })
        case 3:
            let source = CurrentValue<Int, LawFailure>(2)
            return Source(name: "CurrentValue", signal: source.signal, first: [2], send: { source.send($0) })
        case 4:
            let source = Replay<Int, LawFailure>(keeping: 2)
            for number in many { source.send(number) }
            return Source(name: "Replay", signal: source.signal, first: many.suffix(2), send: { source.send($0) })
        case 5:
            let emitters = Lock<[Emitter<Int, LawFailure>]>([])
            let signal = Numbers.create(bufferSize: 0) { emitter in
                emitters.withLock { $0.append(emitter) }
                return {}
            }
            return Source(
                name: "create", signal: signal, first: [],
                send: { number in for emitter in emitters.withLock({ $0 }) { emitter.send(number) } })
        case 6:
            return Source(name: "sequence", signal: .sequence(many).append(.never()), first: many, send: nil)
        case 7:
            let signal = Numbers.unfold(0) { (state: inout Int) in
                defer { state += 1 }
                return state < many.count ? state : nil
            }
            return Source(name: "unfold", signal: signal.append(.never()), first: many, send: nil)
        default:
            let signal = Numbers.create { emitter in
                for number in many { emitter.send(number) }
                return {}
            }
            return Source(name: "create at once", signal: signal, first: many, send: nil)
        }
    }

    /// Returns random stages: plain ones around one or two that move values, up to two that drop some, and a cut.
    private static func stages(_ generator: inout SeededGenerator) -> [Stage] {
        func one(of stages: [Stage]) -> Stage { stages[Int.random(in: stages.indices, using: &generator)] }
        var stages: [Stage] = []
        for _ in 0..<Int.random(in: 0...2, using: &generator) { stages.append(one(of: plain)) }
        for _ in 0..<Int.random(in: 1...2, using: &generator) { stages.append(one(of: moving)) }
        if generator.chance(30) { stages.append(one(of: plain)) }
        for _ in 0..<Int.random(in: 0...2, using: &generator) { stages.append(one(of: dropping)) }
        return stages + [one(of: cutting)]
    }

    @Test("S17 R-H2 dropping a value behind a scheduler loses no other value of the source", arguments: 0..<20)
    func randomChains(_ part: UInt64) {
        for seed in part * 100..<(part + 1) * 100 {
            var generator = SeededGenerator(seed: seed)
            let clock = VirtualScheduler()
            let source = Self.source(&generator)
            let stages = Self.stages(&generator)
            let signal = stages.reduce(source.signal) { $1.apply($0, clock) }
            let recorder = signal.record()
            clock.advance(by: .seconds(300))
            var bursts: Bursts = [source.first]
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let burst = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    Int.random(in: 0...20, using: &generator)
                }
                for number in burst { source.send?(number) }
                clock.advance(by: .seconds(300))
                if source.send != nil { bursts.append(burst) }
            }
            let expected = stages.reduce(bursts) { $1.model($0) }.flatMap { $0 }
            let chain = ([source.name] + stages.map(\.name)).joined(separator: ".")
            #expect(recorder.values == expected, "\(seed): \(chain) of \(bursts)")
            recorder.cancel()
        }
    }

    @Test("S17 R-H2 a stage that waits for one value gets it, whatever is dropped before", arguments: [1, 2, 3])
    func oneValue(_ demand: Int) {
        let clock = VirtualScheduler()
        let source = Broadcast<Int, LawFailure>()
        let (many, wanted) = (source.signal, Demand.max(demand))
        let recorders = [
            many.receive(on: clock).first { $0 == 2 }, many.delay(for: .seconds(1), on: clock).first { $0 == 2 },
            many.timeout(after: .seconds(9), on: clock).first { $0 == 2 }, many.receive(on: clock).output(at: 2),
            many.receive(on: clock).filter { $0 > 1 }.prefix(1), many.receive(on: clock).drop(2).first(),
            many.receive(on: clock).tryFirst { $0 > 1 },
            many.merge(with: .never()).receive(on: clock).first { $0 == 2 },
        ].map { $0.record(demand: wanted) }
        let closed = Signal<Int, LawFailure>.never().prefix(until: many.receive(on: clock).filter { $0 == 2 }).record()
        for number in 0..<5 { source.send(number) }
        clock.run()
        #expect(recorders.map(\.values) == recorders.map { _ in [2] })
        #expect(recorders.allSatisfy(\.isEnded) && closed.isEnded)
    }

    @Test("S17 S41 R-H2 value() gets the value that passes a filter behind a scheduler") func awaited() async throws {
        let clock = VirtualScheduler()
        let source = Broadcast<Int, LawFailure>()
        let requested = Broadcast<Void, Never>(bufferSize: 1)
        let begun = requested.signal.record()
        let signal = source.signal.lift { next in
            Sink(
                onUpstream: { upstream in
                    next.receive(
                        upstream: Upstream(
                            request: {
                                upstream.request($0)
                                requested.send()
                            }, cancel: upstream.cancel))
                }, onValue: next.receive, onCompletion: next.receive(completion:))
        }
        let waiting = Task { try await signal.receive(on: clock).filter { $0 == 30 }.value() }
        _ = await begun.values(1)
        for number in 0...30 { source.send(number) }
        clock.run()
        source.send(completion: .finished)
        clock.run()
        #expect(try await waiting.value == 30)
    }

    @Test("S17 S19 R-H2 a source that can wait makes only the values that are needed or buffered")
    func endless() {
        let clock = VirtualScheduler()
        let made = Count()
        let numbers = Signal<Int, LawFailure>.sequence(
            (0...).lazy.map {
                made.raise(); return $0
            })
        let wrapped: [(signal: Signal<Int, LawFailure>, ahead: Int)] = [
            (numbers, 0), (.deferred { numbers }, 0), (numbers.append(1), 0), (.empty().append(numbers), 0),
            (numbers.retry(1), 0), (numbers.catch { .fail($0) }, 0), (numbers.subscribe(on: clock), 0),
            (numbers.delay(for: .seconds(1), on: clock), 0), (numbers.timeout(after: .seconds(99), on: clock), 0),
            (numbers.prefix(until: Signal<Int, LawFailure>.never()), 0), (numbers.race(with: .never()), 0),
            (Signal { numbers.attach($0) }, 0), (numbers.collect(1).map { $0[0] }, 0),
            (Signal<Int, LawFailure>.just(0).flatMap { _ in numbers }, 16), (numbers.merge(with: .never()), 16),
            (numbers.share(), 0), (numbers.share(replay: 2), 0), (numbers.multicast().autoconnect().share(), 0),
            (numbers.prefetch(high: 8, low: 4), 8), (numbers.zip(numbers).map { $0.0 }, 37),
            (Signal<Int, LawFailure>.just(0).flatMapLatest { _ in numbers }, 0),
        ]
        for (index, (signal, ahead)) in wrapped.enumerated() {
            let before = made.value
            let recorder = signal.receive(on: clock).filter { $0 > 2 }.prefix(2).record()
            clock.run()
            #expect(recorder.values == [3, 4] && recorder.isEnded, "\(index)")
            // A sequence makes one more value to find its end.
            #expect(made.value - before <= 6 + ahead, "\(index): it made \(made.value - before).")
        }
    }

    @Test("S3 S14 R-M1 a source that can wait delivers nothing for open demand of zero")
    func nothingNeeded() {
        let clock = VirtualScheduler()
        let numbers = Signal<Int, LawFailure>.sequence(1...5)
        let waiting: [Signal<Int, LawFailure>] = [
            .just(1), numbers, .unfold(0) { $0 }, .task { 1 }, numbers.collect().map { $0.count }, numbers.last(),
            numbers.prefetch(high: 4, low: 2), numbers.zip(numbers).map { $0.0 }, numbers.flatMap { .just($0) },
            numbers.flatMap { .sequence([$0]) }, numbers.flatMapLatest { .sequence([$0]) }, numbers.append(6),
            numbers.collect(2).map { $0.count }, numbers.delay(for: .seconds(1), on: clock), numbers.prefix(2),
            numbers.share(), numbers.subscribe(on: clock), numbers.catch { .fail($0) }, numbers.race(with: .never()),
            numbers.materialize().dematerialize(), Signal { numbers.attach($0) },
            numbers.prefix(until: Signal<Int, LawFailure>.never()), numbers.retry(1),
        ]
        for (index, signal) in waiting.enumerated() {
            let recorder = signal.record(demand: Demand.none.opened)
            clock.run()
            #expect(recorder.history == [.upstream], "\(index)")
            recorder.cancel()
        }
    }

    @Test("S19 R-H2 flatMap and merge buffer values of a hot signal within their bound") func held() {
        let source = Broadcast<Int, LawFailure>()
        let (hot, never) = (source.signal, Signal<Int, LawFailure>.never())
        let joined = [hot.merge(with: never), Signal<Int, LawFailure>.just(0).flatMap { _ in hot }]
        for (index, signal) in joined.enumerated() {
            let shared = signal.share()
            let passed = Count()
            let recorder = signal.handleEvents(onValue: { _ in passed.raise() }).share().record(demand: .none)
            let second = shared.record(demand: .max(1))
            for number in 1...100 { source.send(number) }
            #expect(passed.value == 84 && second.values == [1], "\(index)")
            recorder.request(.unlimited)
            #expect(recorder.values == Array(85...100), "\(index)")
            recorder.cancel()
            second.cancel()
        }
    }

    /// Stages that lose no value of a source that can wait, and how far they may run ahead of their sink.
    private static let lossless: [(name: String, ahead: Int)] = [
        ("share", 0), ("share(replay:)", 0), ("multicast", 0), ("append", 0), ("catch", 0), ("retry", 0),
        ("fence", 0), ("deferred", 0), ("race", 0), ("switchToLatest", 0), ("prefix(until:)", 0), ("materialize", 0),
        ("merge", 17), ("handleEvents", 0), ("collect(1)", 0), ("receive", 0), ("receive twice", 0), ("delay", 0),
        ("timeout", 0), ("subscribe", 0), ("map", 0), ("filter", 0), ("drop", 0), ("removeDuplicates", 0),
        ("tryFilter", 0), ("compactMap", 0), ("pairwise", 0), ("drop(while:)", 0), ("drop(until:)", 0), ("scan", 0),
    ]

    @Test("S14 S17 S19 R-H2 R-M1 a sink with limited demand holds a source back, and loses nothing", arguments: 0..<20)
    func heldBack(_ part: UInt64) {
        let stages = Self.plain + Self.moving + Self.dropping
        for seed in part * 50..<(part + 1) * 50 {
            var generator = SeededGenerator(seed: seed)
            let clock = VirtualScheduler()
            let made = Count()
            let limit = Int.random(in: 20...60, using: &generator)
            let numbers = Numbers.unfold(0) { (state: inout Int) in
                if state == limit { return nil }
                made.raise()
                state += 1
                return state
            }
            var (signal, model, ahead, names) = (numbers, Array(1...limit), 1, [String]())
            for _ in 0..<Int.random(in: 2...6, using: &generator) {
                let (name, more) = Self.lossless[Int.random(in: Self.lossless.indices, using: &generator)]
                guard let stage = stages.first(where: { $0.name == name }) else { continue }
                signal = stage.apply(signal, clock)
                model = stage.model([model]).flatMap { $0 }
                ahead += more
                names.append(name)
            }
            if generator.chance(40) {
                signal = signal.prefix(7)
                model = Array(model.prefix(7))
            }
            let step = Int.random(in: 1...5, using: &generator)
            let perValue = Demand.max(generator.chance(20) ? 1 : 0)
            let recorder = signal.record(demand: .max(step), perValue: perValue)
            var turns = 0
            while !recorder.isEnded && turns < 100 {
                turns += 1
                clock.advance(by: .seconds(20))
                let dropped = names.contains { Self.dropping.map(\.name).contains($0) }
                if perValue == .none && !dropped {
                    let most = recorder.values.count + ahead + 1
                    #expect(made.value <= most, "\(seed): \(names) made \(made.value), at most \(most)")
                }
                recorder.request(.max(step))
            }
            clock.advance(by: .seconds(20))
            #expect(recorder.values == model && (recorder.isEnded || names.contains("merge")), "\(seed): \(names)")
            #expect(recorder.breaches.isEmpty, "\(seed): \(names)")
            recorder.cancel()
        }
    }
}
