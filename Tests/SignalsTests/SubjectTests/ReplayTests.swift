import Signals
import SignalsLaws
import SignalsTesting
import TestTraits
import Testing

@Suite struct ReplayTests {
    @Test("S39 a new sink begins with the last values", arguments: [1, 2, 3, 1_000, .max]) func begins(_ count: Int) {
        let replay = Replay<Int, Never>(keeping: count)
        #expect(replay.signal.record().values == [])
        let early = replay.signal.record()
        for number in 1...5 { replay.send(number) }
        let late = replay.signal.record()
        replay.send(6)
        #expect(early.values == Array(1...6))
        #expect(late.values == Array((1...5).suffix(count)) + [6])
    }

    @Test(
        "S10 S39 S49 after it has ended or was released, a new sink gets the last values and the end",
        arguments: 0..<3)
    func end(_ way: Int) {
        var replay: Replay<Int, LawFailure>? = Replay(keeping: 2)
        let signal = replay?.signal
        let early = replay?.signal.record()
        for number in 1...3 { replay?.send(number) }
        switch way {
        case 0: replay?.send(completion: .finished)
        case 1: replay?.send(completion: .failure(LawFailure(2)))
        default: replay = nil
        }
        let end: Recorder<Int, LawFailure>.Event = way == 1 ? .failure(LawFailure(2)) : .finished
        #expect(early?.history == [.upstream, .value(1), .value(2), .value(3), end])
        for _ in 0..<2 { #expect(signal?.record().history == [.upstream, .value(2), .value(3), end]) }
        replay = nil
        #expect(signal?.record().history == [.upstream, .value(2), .value(3), end])
    }

    @Test("a source that would keep no value is refused", .prompt) func keepingNothing() async {
        await #expect(processExitsWith: .failure) { _ = Replay<Int, Never>(keeping: 0) }
    }

    @Test("S14 S23 a sink that has fallen behind gets the newest values, as it requests them") func behind() {
        let replay = Replay<Int, Never>(keeping: 2)
        let recorder = replay.signal.record(demand: .none)
        for number in 1...5 { replay.send(number) }
        recorder.request(.max(1))
        #expect(recorder.values == [4])
        recorder.request(.unlimited)
        replay.send(6)
        #expect(recorder.values == [4, 5, 6])
    }
}
