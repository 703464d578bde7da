import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RepeatTests {
    @Test("S2 it runs its upstream a given number of times", arguments: [0, 1, 2, 3, 1_000]) func times(_ count: Int) {
        let runs = Count()
        let signal = Signal<Int, Never>.deferred {
            runs.raise()
            return .sequence(1...2)
        }.repeat(count)
        let recorder = signal.record()
        #expect(recorder.values == (0..<count).flatMap { _ in [1, 2] } && recorder.isEnded && runs.value == count)
        _ = signal.record()
        #expect(runs.value == 2 * count)
    }

    @Test("S18 outstanding demand goes to the next run") func demand() {
        let first = Lock(true)
        report(
            Laws.verifyHandover(at: .finished) { upstream, other in
                first.withLock { $0 = true }
                return Signal.deferred {
                    first.withLock { isFirst in
                        defer { isFirst = false }
                        return isFirst
                    } ? upstream : other
                }.repeat(2)
            })
    }

    @Test("S32 without a count, it continues until it is cancelled or fails") func endless() {
        #expect(Signal<Int, Never>.sequence(1...3).repeat().prefix(7).record().values == [1, 2, 3, 1, 2, 3, 1])
        let left = Lock(5)
        let recorder = Signal<Int, LawFailure>.deferred {
            left.withLock { left in
                left -= 1
                return left < 0 ? .fail(LawFailure(9)) : .just(left)
            }
        }.repeat().record()
        #expect(recorder.values == [4, 3, 2, 1, 0] && recorder.completion == .failure(LawFailure(9)))
    }

    @Test("S30 S32 a run that delivers nothing is repeated until a cancel on another thread") func empty() {
        let runs = Count()
        let token = SignalToken()
        let returned = onThreads(2) { thread in
            if thread == 0 {
                Signal<Int, Never>.deferred {
                    runs.raise()
                    return .empty()
                }.repeat().sink(cancelledBy: token, onValue: { _ in }, onCompletion: { _ in })
            } else {
                while runs.value < 10 {}
                token.cancel()
            }
        }
        #expect(returned && token.isEnded)
    }

    @Test("S25 the stack does not grow with 100,000 runs") func stack() {
        let count = Count()
        onSmallStack { _ = Signal<Int, Never>.just(1).repeat(100_000).sink { _ in count.raise() } }
        #expect(count.value == 100_000)
    }
}
