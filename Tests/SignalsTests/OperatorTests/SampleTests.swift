import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct SampleTests {
    private let values = Probe<Int, LawFailure>()
    private let frames = Probe<String, LawFailure>()

    @Test("S7 S10 S12 S34 two inputs") func laws() {
        report(
            Laws.verifyOperator(
                expecting: { $0.isFinished ? $0.values.suffix(1) : [] },
                traits: [.changesDemand, .dropsValues, .failsFast], seeds: 1...5
            ) { upstream, _ in
                upstream.sample(by: Signal<Int, LawFailure>.never())
            })
    }

    @Test func deliversTheLatestOnce() {
        let recorder = values.signal.sample(by: frames.signal).record()
        frames.send("before the first")
        for number in 1...3 { values.send(number) }
        #expect(recorder.values.isEmpty)
        for _ in 0..<3 { frames.send("frame") }
        #expect(recorder.values == [3])
        values.send(3)
        frames.send("frame")
        #expect(recorder.values == [3, 3], "An equal value counts as a newer one.")
        recorder.cancel()
        #expect(values.liveCount == 0 && frames.liveCount == 0)
    }

    @Test("S12 it finishes with either signal, after a value that was not sampled yet", arguments: [false, true])
    func finish(ofOther: Bool) {
        let recorder = values.signal.sample(by: frames.signal).record()
        values.send(1)
        if ofOther { frames.finish() } else { values.finish() }
        #expect(recorder.history == [.upstream, .value(1), .finished])
        #expect(values.liveCount == 0 && frames.liveCount == 0)
    }

    @Test("S12 it fails with either, and cancels the other", arguments: [false, true]) func failure(ofOther: Bool) {
        let recorder = values.signal.sample(by: frames.signal).record()
        values.send(1)
        if ofOther { frames.fail(LawFailure(2)) } else { values.fail(LawFailure(2)) }
        #expect(recorder.history == [.upstream, .failure(LawFailure(2))])
        #expect(values.liveCount == 0 && frames.liveCount == 0)
    }

    @Test("S5 if a sink cancels on receiving its upstream, neither signal is attached") func cancelledAtOnce() {
        _ = values.signal.sample(by: frames.signal).record(cancelAt: 0)
        #expect(values.attachCount == 0 && frames.attachCount == 0)
    }

    @Test("S22 for a sink that has fallen behind, the latest sample is kept") func behind() {
        let recorder = values.signal.sample(by: frames.signal).record(demand: .none)
        for number in 1...3 {
            values.send(number)
            frames.send("frame")
        }
        recorder.request(.max(1))
        #expect(recorder.values == [3])
        recorder.cancel()
    }

    @Test("S7 values and samples on two threads") func threads() {
        for _ in 0..<100 {
            let source = Broadcast<Int, Never>()
            let frame = Broadcast<Void, Never>()
            let recorder = source.signal.sample(by: frame.signal).record()
            onThreads(2) { thread in
                for number in 1...100 { if thread == 0 { source.send(number) } else { frame.send() } }
            }
            frame.send()
            #expect(recorder.values.last == 100 && recorder.values == recorder.values.sorted())
            #expect(Set(recorder.values).count == recorder.values.count)
            report(recorder.breaches)
        }
    }
}
