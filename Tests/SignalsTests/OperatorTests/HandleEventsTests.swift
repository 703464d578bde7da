import Signals
import SignalsTesting
import Testing

@Suite struct HandleEventsTests {
    @Test("S13 each closure is called where the event happens") func events() {
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
}
