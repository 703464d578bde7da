import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The outbox of values that are made on request", .timeLimit(.minutes(10))) struct PulledOutboxTests {
    /// Numbers instead of rows; counts how often they are opened and closed.
    private final class Numbers: Sendable {
        let opened = Counter()
        let closed = Counter()
        private let last = Counter()
        private let count: Int
        private let onNext: @Sendable (Int) -> Void

        init(_ count: Int, onNext: @escaping @Sendable (Int) -> Void = { _ in }) {
            (self.count, self.onNext) = (count, onNext)
        }

        func open() -> PulledOutbox<Int, RepositoryError>.Source {
            opened.add()
            return .init(
                next: { [self] () in
                    let number = last.add()
                    onNext(number)
                    return number > count ? nil : number
                }, close: { [self] in _ = closed.add() })
        }
    }

    @discardableResult
    private func start(
        _ recorder: Recorder<Int, RepositoryError>, _ numbers: Numbers, ended: @escaping @Sendable () -> Void
    ) -> PulledOutbox<Int, RepositoryError> {
        let run = PulledOutbox(recorder.sink, open: { () throws(RepositoryError) in numbers.open() }, ended: ended)
        recorder.sink.receive(upstream: run.upstream)
        run.start()
        return run
    }

    @Test("S7 R17 One reading serves all requests in turn, from outside and from inside a delivery")
    func requests() async {
        let (numbers, isEnded) = (Numbers(400), Gate())
        let recorder = Recorder<Int, RepositoryError>(demand: .max(1)) { recorder, event in
            // The first of every four numbers is requested from outside an idle run, the others from inside.
            if case .value(let number) = event, !number.isMultiple(of: 4) { recorder.request(.max(1)) }
        }
        start(recorder, numbers) { isEnded.open() }
        for round in 1..<100 {
            #expect(await recorder.values(4 * round) == Array(1...4 * round))
            recorder.request(.max(1))
        }
        #expect(await recorder.end() == .finished)
        await isEnded.opened()
        #expect(recorder.values == Array(1...400) && recorder.breaches.isEmpty)
        #expect(numbers.opened.value == 1 && numbers.closed.value == 1)
    }

    @Test("R10 Rows are closed if the run is cancelled while one of them is read")
    func cancelledInside() async {
        let isEnded = Gate()
        let recorder = Recorder<Int, RepositoryError>()
        let numbers = Numbers(10) { number in
            if number == 3 { recorder.cancel() }
        }
        start(recorder, numbers) { isEnded.open() }
        await isEnded.opened()
        #expect(numbers.opened.value == 1 && numbers.closed.value == 1)
        #expect(recorder.values == [1, 2] && !recorder.isEnded)
    }

    @Test("R12 A failure from outside overtakes the values, and closes the rows while the sink blocks")
    func failing() async {
        let (numbers, isEnded, isIn, mayGo) = (Numbers(10), Gate(), Gate(), Gate())
        let recorder = Recorder<Int, RepositoryError> { _, event in
            guard case .value = event else { return }
            isIn.open()
            mayGo.wait()
        }
        let run = start(recorder, numbers) { isEnded.open() }
        await isIn.opened()
        run.fail(.closed)
        run.fail(.cancelled)
        await isEnded.opened()
        #expect(numbers.closed.value == 1 && !recorder.isEnded)
        mayGo.open()
        #expect(await recorder.end() == .failure(.closed))
        #expect(recorder.values == [1] && recorder.breaches.isEmpty)
    }

    @Test("R12 The failure that interrupts a reading is the one that the sink receives") func interrupted() async {
        let (isReading, mayGo, isEnded) = (Gate(), Gate(), Gate())
        let recorder = Recorder<Int, RepositoryError>(demand: .none)
        let run = PulledOutbox(
            recorder.sink,
            open: { () throws(RepositoryError) in
                isReading.open()
                mayGo.wait()
                throw .cancelled
            }, ended: { isEnded.open() })
        recorder.sink.receive(upstream: run.upstream)
        run.start()
        await isReading.opened()
        run.fail(.closed)
        mayGo.open()
        #expect(await recorder.end() == .failure(.closed))
        await isEnded.opened()
    }

    @Test("R17 A run that is cancelled or fails before its start opens nothing, and ends", arguments: [false, true])
    func early(fails: Bool) async {
        let (numbers, isEnded) = (Numbers(10), Gate())
        let recorder = Recorder<Int, RepositoryError>()
        let run = PulledOutbox(
            recorder.sink, open: { () throws(RepositoryError) in numbers.open() }, ended: { isEnded.open() })
        recorder.sink.receive(upstream: run.upstream)
        if fails { run.fail(.closed) } else { recorder.cancel() }
        #expect(!recorder.isEnded)
        run.start()
        await isEnded.opened()
        if fails { #expect(await recorder.end() == .failure(.closed)) }
        #expect(numbers.opened.value == 0 && recorder.values.isEmpty && recorder.isEnded == fails)
    }

    @Test("S7 S14 R10 R12 With random requests, cancels and failures, values stay in order and rows are closed once")
    func random() async {
        for seed in 0..<60 {
            let (numbers, isEnded, ends) = (Numbers(200), Gate(), Counter())
            let recorder = Recorder<Int, RepositoryError>(
                demand: .none, perValue: seed.isMultiple(of: 3) ? .max(1) : .none)
            let run = start(recorder, numbers) {
                // The run ends once, and only after the rows are closed.
                #expect(ends.add() == 1 && numbers.closed.value == numbers.opened.value)
                isEnded.open()
            }
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<3 {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(seed * 3 + thread))
                        for number in 0..<150 {
                            recorder.request(.max(Int.random(in: 0...2, using: &random)))
                            if number == 100, thread == 1, seed % 4 == 1 { recorder.cancel() }
                            if number == 100, thread == 2, seed % 4 > 1 { run.fail(.closed) }
                        }
                    }
                }
            }
            recorder.request(.unlimited)
            await isEnded.opened()
            if seed % 4 != 1 { #expect(await recorder.end() != nil) }
            #expect(recorder.breaches.isEmpty && Array(1...200).starts(with: recorder.values))
            // A run that is cancelled or fails at once never opens its rows.
            #expect(numbers.opened.value <= 1 && numbers.closed.value == numbers.opened.value)
        }
    }

    @Test("R10 R11 A cancel or a failure during a reading closes the rows once, and then the run ends")
    func meeting() async {
        for round in 0..<1_500 {
            let (numbers, isEnded, ends) = (Numbers(.max), Gate(), Counter())
            let recorder = Recorder<Int, RepositoryError>()
            let isReading = Gate()
            let run = PulledOutbox(
                recorder.sink,
                open: { () throws(RepositoryError) in
                    isReading.open()
                    return numbers.open()
                },
                ended: {
                    #expect(ends.add() == 1 && numbers.closed.value == 1)
                    isEnded.open()
                })
            recorder.sink.receive(upstream: run.upstream)
            run.start()
            await isReading.opened()
            if round.isMultiple(of: 2) { recorder.cancel() } else { run.fail(.closed) }
            await isEnded.opened()
            #expect(numbers.closed.value == 1 && recorder.breaches.isEmpty)
        }
    }

    @Test("S34 A cancel before the start releases the sink") func releasedEarly() {
        final class Item: Sendable {}
        weak var watched: Item?
        let run: PulledOutbox<Int, RepositoryError>
        do {
            let item = Item()
            watched = item
            run = PulledOutbox(
                Sink(
                    onUpstream: { _ in }, onValue: { _ in withExtendedLifetime(item) { .none } },
                    onCompletion: { _ in }),
                open: { () throws(RepositoryError) in throw .closed }, ended: {})
        }
        run.request(.unlimited)
        #expect(watched != nil)
        run.cancel()
        #expect(watched == nil)
        run.start()
    }
}
