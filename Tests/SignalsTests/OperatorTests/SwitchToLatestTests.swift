import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct SwitchToLatestTests {
    private struct Bed {
        let outer = Probe<Signal<Int, LawFailure>, LawFailure>()
        let first = Probe<Int, LawFailure>()
        let second = Probe<Int, LawFailure>()
        var signal: Signal<Int, LawFailure> { outer.signal.switchToLatest() }
    }

    @Test("S18 outstanding demand is requested from the next signal") func demand() {
        let bed = Bed()
        let recorder = bed.signal.record(demand: .max(5))
        bed.outer.send(bed.first.signal)
        bed.first.send(1)
        bed.outer.send(bed.second.signal)
        #expect(bed.second.outstanding() == .max(4))
        recorder.cancel()
    }

    @Test("S6 a new signal cancels the previous one, which delivers nothing more") func replaces() {
        let bed = Bed()
        let recorder = bed.signal.record()
        bed.outer.send(bed.first.signal)
        bed.first.send(1)
        bed.outer.send(bed.second.signal)
        #expect(bed.first.liveCount == 0)
        bed.first.send(2)
        bed.second.send(3)
        #expect(recorder.values == [1, 3])
        recorder.cancel()
    }

    @Test("S12 a failure of either ends both") func failures() {
        let bed = Bed()
        let recorder = bed.signal.record()
        bed.outer.send(bed.first.signal)
        bed.first.fail(LawFailure(1))
        #expect(recorder.completion == .failure(LawFailure(1)) && bed.outer.liveCount == 0)
        let other = Bed()
        let second = other.signal.record()
        other.outer.send(other.first.signal)
        other.outer.fail(LawFailure(2))
        #expect(second.completion == .failure(LawFailure(2)) && other.first.liveCount == 0)
    }

    @Test func finishesWithBoth() {
        let bed = Bed()
        let recorder = bed.signal.record()
        bed.outer.send(bed.first.signal)
        bed.outer.finish()
        #expect(!recorder.isEnded)
        bed.first.send(1)
        bed.first.finish()
        #expect(recorder.history == [.upstream, .value(1), .finished])
    }

    @Test("S7 S9 one thread switches signals while others deliver") func threads() async {
        for _ in 0..<50 {
            let sources = (0..<2).map { _ in Broadcast<Int, LawFailure>() }
            let outer = Broadcast<Signal<Int, LawFailure>, LawFailure>()
            let recorder = outer.signal.switchToLatest().record()
            onThreads(3) { thread in
                for number in 0..<50 {
                    if thread == 2 { outer.send(sources[number % 2].signal) } else { sources[thread].send(number) }
                }
                if thread == 0 { outer.send(completion: .finished) }
            }
            for source in sources { source.send(completion: .finished) }
            // A helper may process the events that were left during an attach, a moment later.
            _ = await recorder.end()
            #expect(recorder.isEnded)
            report(recorder.breaches)
        }
    }

    @Test("S9 a value that a replaced signal sent just before is not delivered") func lateValue() {
        let outer = Probe<Signal<Int, LawFailure>, LawFailure>()
        let old = Probe<Int, LawFailure>()
        let new = Probe<Int, LawFailure>()
        let recorder = outer.rawSignal.switchToLatest().record { _, event in
            guard event == .value(1) else { return }
            // Waits behind this delivery, where the new signal overtakes it.
            old.send(2)
            outer.send(new.rawSignal)
        }
        outer.send(old.rawSignal)
        old.send(1)
        new.send(3)
        #expect(recorder.values == [1, 3])
        report(recorder.breaches)
        recorder.cancel()
    }

    @Test("S9 S10 the end of a replaced signal is ignored, however late it arrives") func lateFailure() {
        let outer = Probe<Signal<Int, LawFailure>, LawFailure>()
        let old = Probe<Int, LawFailure>(.faulty)
        let new = Probe<Int, LawFailure>()
        let recorder = outer.rawSignal.switchToLatest().record { _, event in
            switch event {
            case .value(1):
                outer.send(new.rawSignal)
                old.fail(LawFailure(1))
            case .value(2):
                new.fail(LawFailure(2))
                outer.send(.just(9))
            default: break
            }
        }
        outer.send(old.rawSignal)
        old.send(1)
        new.send(2)
        #expect(recorder.history == [.upstream, .value(1), .value(2), .value(9)])
        report(recorder.breaches)
        recorder.cancel()
    }
}
