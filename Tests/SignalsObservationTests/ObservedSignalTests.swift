import Observation
import Signals
import SignalsObservation
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct ObservedSignalTests {
    private struct Lost: Error, Equatable {}

    @Test("A value delivered during the attach is available at once, and later ones are observed")
    func values() async {
        let subject = CurrentValue<Int, Lost>(1)
        let observed = ObservedSignal(subject.signal)
        #expect(observed.value == 1 && !observed.isLoading)
        let seen = Signal<Int?, Never>.observing { observed.value }.record()
        #expect(await seen.values(1) == [1])
        subject.send(2)
        #expect(observed.value == 2)
        #expect(await seen.values(2) == [1, 2])
        await Task.detached { subject.send(3) }.value
        #expect(await seen.values(3) == [1, 2, 3])
        subject.send(completion: .failure(Lost()))
        #expect(observed.value == 3 && observed.failure == Lost() && observed.completion == .failure(Lost()))
        seen.cancel()
    }

    @Test("Without an initial value, it is loading until a value or the end arrives")
    func loading() {
        let subject = Broadcast<Int, Never>()
        let observed = ObservedSignal(subject.signal)
        let begun = ObservedSignal(subject.signal, initially: 7)
        #expect(observed.value == nil && observed.isLoading && begun.value == 7 && !begun.isLoading)
        subject.send(8)
        #expect(observed.value == 8 && begun.value == 8 && !observed.isLoading)
        let ended = ObservedSignal(Signal<Int, Lost>.fail(Lost()))
        #expect(ended.value == nil && !ended.isLoading && ended.failure == Lost())
        let finished = ObservedSignal(Signal<Int, Lost>.empty())
        #expect(!finished.isLoading && finished.failure == nil && finished.completion == .finished)
    }

    @Test("It cancels when it is released")
    func released() {
        let subject = Broadcast<Int, Never>()
        let cancels = CurrentValue<Int, Never>(0)
        var observed: ObservedSignal? = ObservedSignal(
            subject.signal.handleEvents(onCancel: { cancels.modify { $0 += 1 } }))
        subject.send(1)
        #expect(observed?.value == 1 && cancels.value == 0)
        observed = nil
        #expect(cancels.value == 1)
        subject.send(2)
    }
}
