import Signals

extension OperatorLaw {
    private enum End: String, CaseIterable {
        case finish, failure, cancel, cancelWhileWaiting

        var demand: Demand { self == .cancelWhileWaiting ? .max(1) : .unlimited }
    }

    static func releases(_ subject: OperatorUnderLaw<Output, Failure>, _ findings: inout Findings) {
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
            findings.expect(sink == nil, "S34", "After \(end.rawValue) it keeps its sink.")
            findings.expect(trial.probe.heldUpstreams == 0, "S34", "After \(end.rawValue) it keeps its upstream.")
            findings.expect(
                trial.values.current == 0, "S34", "After \(end.rawValue) it keeps \(trial.values.current) values.")
            if subject.settling == .zero {
                let pending = trial.scheduler.pendingCount
                findings.expect(pending == 0, "S37", "After \(end.rawValue) \(pending) pieces of work are scheduled.")
            }
        }
    }
}
