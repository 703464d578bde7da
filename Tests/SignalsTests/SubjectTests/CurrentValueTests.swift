import Signals
import SignalsTesting
import Testing

@Suite struct CurrentValueTests {
    @Test("S39 begins with the latest value") func begins() {
        let current = CurrentValue<Int, Never>(1)
        current.value = 2
        let recorder = current.signal.record()
        current.send(3)
        #expect(recorder.values == [2, 3] && current.value == 3)
    }

    @Test("S22 a sink that is behind gets the latest") func conflates() {
        let current = CurrentValue<Int, Never>(1)
        let recorder = current.signal.record(demand: .none)
        for number in 2...5 { current.send(number) }
        recorder.request(.max(1))
        #expect(recorder.values == [5])
        recorder.request(.max(1))
        #expect(recorder.values == [5])
    }

    @Test("S9 after the end its value stays, and a new sink gets the end alone") func end() {
        let current = CurrentValue<Int, LawFailure>(1)
        current.send(completion: .failure(LawFailure()))
        current.send(2)
        #expect(current.value == 1)
        #expect(current.signal.record().history == [.upstream, .failure(LawFailure())])
    }

    @Test("S26 a value that is sent inside a delivery is the latest at once, and delivered after") func inside() {
        let current = CurrentValue<Int, Never>(1)
        let seen = Lock<[Int]>([])
        let first = current.signal.record { _, event in
            guard event == .value(1) else { return }
            current.send(2)
            seen.withLock { $0.append(current.value) }
        }
        #expect(first.values == [1, 2] && seen.withLock { $0 } == [2])
        first.cancel()
    }
}
