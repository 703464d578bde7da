import Signals
import SignalsTesting

extension OperatorLaw {
    private enum End: String, CaseIterable {
        case finish, failure, cancel, cancelWhileWaiting

        var demand: Demand { self == .cancelWhileWaiting ? .max(1) : .unlimited }
    }

    static func releases(_ subject: Subject, _ findings: inout Findings) {
        for (end, upstreamHoldsSink) in End.allCases.flatMap({ [($0, false), ($0, true)] }) {
            let trial = Trial(subject, upstreamHoldsSink: upstreamHoldsSink)
            weak var sink: Recorder<Output, Failure>?
            do {
                let recorder = trial.attach(demand: end.demand)
                sink = recorder
                trial.send(4)
                switch end {
                case .finish: trial.finish()
                case .failure: trial.fail()
                case .cancel, .cancelWhileWaiting: recorder.cancel()
                }
                trial.settle()
            }
            if subject.traits.contains(.isShared) { trial.dropSignal() }
            findings.expect(sink == nil, "S34", "After \(end.rawValue) it retains its sink.")
            findings.expect(trial.probe.heldUpstreams == 0, "S34", "After \(end.rawValue) it retains its upstream.")
            findings.expect(
                trial.values.current == 0, "S34", "After \(end.rawValue) it retains \(trial.values.current) values.")
            if subject.settling == .zero {
                let pending = trial.scheduler.pendingCount
                findings.expect(pending == 0, "S37", "After \(end.rawValue) \(pending) pieces of work are scheduled.")
            }
        }
    }

    /// However a run ends, its upstream is torn down once; an upstream that has ended by itself is not cancelled.
    static func oneTeardown(_ subject: Subject, _ findings: inout Findings) {
        for end in End.allCases {
            let trial = Trial(subject)
            let ends = LiveCount()
            let upstream = trial.signal?.attachKeepingUpstream(demand: end.demand, onCompletion: { ends.add(1) })
            trial.settle()
            trial.send(4)
            let hasEnded = ends.current > 0
            switch end {
            case .finish: trial.finish()
            case .failure: trial.fail()
            case .cancel, .cancelWhileWaiting: upstream?.cancel()
            }
            trial.settle()
            let isCancelled = end == .cancel || end == .cancelWhileWaiting
            if !hasEnded { trial.expectCancels(isCancelled ? 1...1 : 0...0, "it ended by \(end.rawValue)", &findings) }
            // A run that has ended may still be cancelled; each cancel reaches the upstream at most once.
            let before = trial.cancels
            for _ in 0..<2 { upstream?.cancel() }
            trial.settle()
            trial.expectCancels(before...before + 2, "it was cancelled twice more", &findings)
            findings.expect(
                ends.current <= 1 && (ends.current == 0 || !isCancelled || hasEnded), "S31", "A cancel made it end.")
        }
    }

    /// A sink called under a lock would keep another thread from requesting or cancelling until the delivery is over.
    static func noLock(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        let waits = LiveCount()
        let recorder = trial.attach(demand: .max(1)) { recorder, event in
            guard event.isValue, waits.current == 0 else { return }
            let returned = Crew.run(1) { _ in
                recorder.request(.max(5))
                recorder.cancel()
            }
            if !returned { waits.add(1) }
        }
        findings.watch(recorder)
        trial.send(3)
        trial.finish()
        findings.expect(
            waits.current == 0, "S28", "While it delivered, another thread could neither request nor cancel.")
        recorder.cancel()
        trial.settle()
    }
}

extension OperatorTrial {
    /// How often the latest upstream was cancelled.
    var cancels: Int {
        probe.history(ofRun: probe.attachCount - 1).count { $0 == .cancelled }
    }

    func expectCancels(_ counts: ClosedRange<Int>, _ occasion: String, _ findings: inout Findings) {
        if !subject.traits.isDisjoint(with: [.lingers, .isKept]) { return }
        findings.expect(
            counts.contains(cancels), "S6", "When \(occasion), its upstream was cancelled \(cancels) times.")
    }
}
