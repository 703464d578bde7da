import Signals
import SignalsTesting
import TestTraits
import Testing

@Suite struct OutputTests {
    @Test func deliversWhatStandsAtThesePositions() {
        let numbers = Signal<Int, Never>.sequence(10...)
        #expect(numbers.output(at: 2).record().history == [.upstream, .value(12), .finished])
        #expect(numbers.output(in: 1..<3).record().values == [11, 12])
        #expect(numbers.output(in: ...1).record().values == [10, 11])
        #expect(Signal<Int, Never>.sequence(1...4).output(in: 2...).record().values == [3, 4])
        #expect(numbers.output(in: 3..<3).record().history == [.upstream, .finished])
    }

    @Test func theGreatestPositionIsOneLikeAnyOther() {
        let numbers = Signal<Int, Never>.sequence(1...4)
        #expect(numbers.output(at: .max).record().history == [.upstream, .finished])
        for range in [2...Int.max, 2...4] { #expect(numbers.output(in: range).record().values == [3, 4]) }
        #expect(numbers.output(in: ...Int.max).record().values == [1, 2, 3, 4])
        #expect(numbers.output(in: Int.max...).record().history == [.upstream, .finished])
        #expect(numbers.output(in: (.max)...(.max)).record().history == [.upstream, .finished])
        #expect(numbers.output(in: 2..<Int.max).record().values == [3, 4])
    }

    @Test(.prompt) func aNegativePositionIsAnError() async {
        await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().output(at: -1) }
    }
}
