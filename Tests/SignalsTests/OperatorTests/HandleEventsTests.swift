import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct HandleEventsTests {
    @Test("S13 each closure is called when its event passes") func events() {
        let log = Lock<[String]>([])
        func note(_ line: String) { log.withLock { $0.append(line) } }
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.handleEvents(
            onUpstream: { log.withLock { $0.append("upstream") } },
            onRequest: { demand in log.withLock { $0.append("request \(demand)") } },
            onValue: { value in log.withLock { $0.append("value \(value)") } },
            onCompletion: { _ in log.withLock { $0.append("completion") } },
            onCancel: { log.withLock { $0.append("cancel") } }
        ).record(demand: .max(3))
        probe.send(1)
        recorder.cancel()
        #expect(log.withLock { $0 } == ["upstream", "request 3", "value 1", "cancel"])
        let finished = Signal<Int, LawFailure>.empty().handleEvents(onCompletion: { _ in
            log.withLock { $0 = ["over"] }
        }).record()
        #expect(finished.isEnded && log.withLock { $0 } == ["over"])
    }

    @Test("S17 demand that a sink returns for a value counts as a request", arguments: [false, true]) func returned(
        cancels: Bool
    ) {
        let log = Lock<[String]>([])
        let nothing: @Sendable () -> Void = {}
        let onCancel = cancels ? nothing : nil
        let recorder = Signal<Int, LawFailure>.sequence(1...3).handleEvents(
            onRequest: { demand in log.withLock { $0.append("request \(demand)") } },
            onValue: { value in log.withLock { $0.append("value \(value)") } }, onCancel: onCancel
        ).filter { $0 != 2 }.record(demand: .max(1), perValue: .max(2))
        #expect(recorder.values == [1, 3])
        #expect(
            log.withLock { $0 } == [
                "request 1", "value 1", "request 2", "value 2", "request 1", "value 3", "request 2",
            ])
    }

    @Test("S6 onCancel runs once, and not at all when the run has ended", arguments: ["cancel", "finish", "failure"])
    func cancelOnce(_ ending: String) {
        let probe = Probe<Int, LawFailure>()
        let cancels = Count()
        let kept = Lock<Upstream?>(nil)
        let recorder = Recorder<Int, LawFailure>()
        probe.rawSignal.handleEvents(onCancel: { cancels.raise() }).lift { next in
            Sink(
                onUpstream: { upstream in
                    kept.withLock { $0 = upstream }
                    next.receive(upstream: upstream)
                }, onValue: { next.receive($0) }, onCompletion: { next.receive(completion: $0) })
        }.attach(recorder.sink)
        probe.send(1)
        switch ending {
        case "finish": probe.finish()
        case "failure": probe.fail(LawFailure())
        default: kept.withLock { $0 }?.cancel()
        }
        let upstream = kept.withLock { $0.take() }
        for _ in 0..<2 { upstream?.cancel() }
        let expected = ending == "cancel" ? 1 : 0
        #expect(cancels.value == expected && probe.history.count { $0 == .cancelled } == expected)
        #expect(recorder.values == [1])
        recorder.cancel()
    }
}
