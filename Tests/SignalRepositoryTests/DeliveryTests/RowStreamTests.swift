import Signals
import SignalsTesting
import Testing

@testable import SignalRepository

@Suite("The run of a stream", .timeLimit(.minutes(10))) struct RowStreamTests {
    /// Numbers instead of rows, and what a run has done with them.
    private final class Numbers: Sendable {
        let opened = Counter()
        let closed = Counter()
        private let last = Counter()
        private let count: Int
        private let onNext: @Sendable (Int) -> Void

        init(_ count: Int, onNext: @escaping @Sendable (Int) -> Void = { _ in }) {
            (self.count, self.onNext) = (count, onNext)
        }

        func open() -> OpenRows<Int> {
            opened.add()
            return OpenRows(
                next: { [self] in
                    let number = last.add()
                    onNext(number)
                    return number > count ? nil : number
                }, close: { [self] in _ = closed.add() })
        }
    }

    private func start(
        _ recorder: Recorder<Int, RepositoryError>, _ numbers: Numbers, ended: @escaping @Sendable () -> Void
    ) {
        let run = RowStream(recorder.sink, CancellationFlag(), open: { numbers.open() }, ended: ended)
        recorder.sink.receive(upstream: Upstream(request: { run.request($0) }, cancel: { run.cancel() }))
        run.start()
    }

    @Test("S7 R17 Requests that wake a run, and those inside a delivery, are served in turn by one reading")
    func requests() async {
        let (numbers, isEnded) = (Numbers(400), Gate())
        let recorder = Recorder<Int, RepositoryError>(demand: .max(1)) { recorder, event in
            // Of four numbers, the first is requested from outside, when the run rests, and each other one inside.
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
}
