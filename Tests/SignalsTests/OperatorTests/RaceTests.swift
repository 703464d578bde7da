import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RaceTests {
    @Test("S6 the first to deliver wins, and the others are cancelled") func winner() {
        let probes = (0..<3).map { _ in Probe<Int, LawFailure>() }
        let recorder = Signal.race(probes.map(\.signal)).record(demand: .max(2))
        #expect(probes.map { $0.outstanding() } == [.max(2), .max(2), .max(2)])
        probes[1].send(1)
        #expect(probes.map(\.liveCount) == [0, 1, 0])
        recorder.request(.max(3))
        #expect(probes[1].outstanding() == .max(4))
        probes[0].send(9)
        probes[1].finish()
        #expect(recorder.history == [.upstream, .value(1), .finished])
    }

    @Test func anEndWinsToo() {
        let slow = Probe<Int, LawFailure>()
        #expect(slow.signal.race(with: .fail(LawFailure())).record().completion == .failure(LawFailure()))
        #expect(Signal<Int, Never>.race([]).record().history == [.upstream, .finished])
        #expect(slow.liveCount == 0)
    }

    @Test("S7 S10 of two signals that deliver at the same time, one wins") func threads() {
        for _ in 0..<200 {
            let sources = (0..<2).map { _ in Broadcast<Int, LawFailure>() }
            let recorder = Signal.race(sources.map(\.signal)).record()
            onThreads(2) { thread in
                for number in 0..<5 { sources[thread].send(thread * 100 + number) }
                sources[thread].send(completion: .finished)
            }
            let winner = (recorder.values.first ?? 0) / 100
            #expect(recorder.values == (0..<5).map { winner * 100 + $0 } && recorder.isEnded)
            report(recorder.breaches)
        }
    }

    @Test("S9 R-L2 a faulty winner delivers nothing after a cancel") func faultyWinner() {
        let probe = Probe<Int, LawFailure>(.faulty)
        let recorder = Signal.race([probe.rawSignal, .never()]).record(cancelAt: 2)
        for number in 1...4 { probe.send(number) }
        #expect(recorder.values == [1, 2])
    }
}
