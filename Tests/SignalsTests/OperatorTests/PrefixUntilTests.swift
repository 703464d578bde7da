import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct PrefixUntilTests {
    @Test("S6 the first value of the other signal finishes it and cancels both") func closes() {
        let values = Probe<Int, LawFailure>()
        let stop = Probe<Void, LawFailure>()
        let recorder = values.signal.prefix(until: stop.signal).record()
        values.send(1)
        stop.send(())
        values.send(2)
        #expect(recorder.history == [.upstream, .value(1), .finished])
        #expect(values.liveCount == 0 && stop.liveCount == 0)
    }

    @Test func theOtherEndingWithoutAValueChangesNothing() {
        let recorder = Signal<Int, Never>.sequence(1...2).prefix(until: Signal<Int, Never>.empty()).record()
        #expect(recorder.history == [.upstream, .value(1), .value(2), .finished])
    }

    @Test func anOtherThatIsReadyEndsItBeforeItBegins() {
        let values = Probe<Int, Never>()
        #expect(values.signal.prefix(until: Signal<Int, Never>.just(1)).record().history == [.upstream, .finished])
        #expect(values.liveCount == 0)
    }

    @Test("S7 S10 values and the trigger on two threads") func threads() {
        for _ in 0..<100 {
            let values = Broadcast<Int, LawFailure>()
            let stop = Broadcast<Int, LawFailure>()
            let recorder = values.signal.prefix(until: stop.signal).record()
            onThreads(2) { thread in
                if thread == 0 { stop.send(1) } else { for number in 1...20 { values.send(number) } }
            }
            #expect(recorder.isEnded && recorder.values == Array((1...20).prefix(recorder.values.count)))
            report(recorder.breaches)
        }
    }

    @Test("S6 an upstream that has ended is not cancelled, and one that has not is cancelled once")
    func teardownOnce() {
        for opens in [true, false] {
            for ending in ["finish", "failure", "cancel", "trigger"] {
                let values = Probe<Int, LawFailure>()
                let other = Probe<Int, LawFailure>()
                let gated =
                    opens
                    ? values.rawSignal.drop(until: other.rawSignal) : values.rawSignal.prefix(until: other.rawSignal)
                let recorder = gated.record()
                switch ending {
                case "finish": values.finish()
                case "failure": values.fail(LawFailure())
                case "cancel": recorder.cancel()
                default: if opens { other.fail(LawFailure()) } else { other.send(1) }
                }
                let endedItself = ending == "finish" || ending == "failure"
                let cancels = values.history.count { $0 == .cancelled }
                #expect(cancels == (endedItself ? 0 : 1), "\(ending), opens: \(opens)")
                let otherFailed = opens && ending == "trigger"
                #expect(other.history.count { $0 == .cancelled } == (otherFailed ? 0 : 1), "\(ending), opens: \(opens)")
                #expect(values.heldUpstreams == 0 && other.heldUpstreams == 0)
            }
        }
    }
}
