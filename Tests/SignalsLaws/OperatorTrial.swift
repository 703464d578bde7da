import Signals
import SignalsTesting

/// An operator under test, with the model of its values.
struct OperatorUnderLaw<Output: Sendable & Equatable, Failure: Error>: Sendable {
    typealias Source = Signal<LawValue, LawFailure>

    let traits: Laws.Traits
    let settling: Duration
    let model: @Sendable (LawInput) -> [Output]
    let make: @Sendable (Source, VirtualScheduler) -> Signal<Output, Failure>

    /// Returns the values that a run must deliver for the inputs 1 to `count`.
    func expected(_ count: Int, _ ending: LawInput.Ending) -> [Output] {
        model(LawInput((0..<count).map { LawValue($0 + 1) }, ending))
    }

    /// Whether the values equal the model's values, or are a subsequence of them for an operator that drops values.
    func accepts(_ values: [Output], _ count: Int, _ ending: LawInput.Ending) -> Bool {
        let expected = expected(count, ending)
        return traits.contains(.dropsValues) ? values.isSubsequence(of: expected) : values == expected
    }
}

/// One upstream with one operator, and a count of the values that were sent.
final class OperatorTrial<Output: Sendable & Equatable, Failure: Error> {
    let subject: OperatorUnderLaw<Output, Failure>
    let scheduler = VirtualScheduler()
    let probe: Probe<LawValue, LawFailure>
    let values = LiveCount()
    private(set) var sent = 0
    private(set) var ending = LawInput.Ending.open
    private(set) var signal: Signal<Output, Failure>?

    /// Creates a trial; a faulty probe has a fence, and a lawful probe is attached directly to the operator.
    init(
        _ subject: OperatorUnderLaw<Output, Failure>, _ conduct: Probe<LawValue, LawFailure>.Conduct = .lawful,
        upstreamHoldsSink: Bool = false
    ) {
        self.subject = subject
        probe = Probe(conduct, upstreamHoldsSink: upstreamHoldsSink)
        signal = subject.make(conduct == .lawful ? probe.rawSignal : probe.signal, scheduler)
    }

    func attach(
        demand: Demand = .unlimited, perValue: Demand = .none, cancelAt: Int? = nil,
        reaction: (@Sendable (Recorder<Output, Failure>, Recorder<Output, Failure>.Event) -> Void)? = nil
    ) -> Recorder<Output, Failure> {
        let recorder = Recorder<Output, Failure>(
            demand: demand, perValue: perValue, cancelAt: cancelAt, reaction: reaction)
        signal?.run(into: recorder.sink)
        settle()
        return recorder
    }

    /// Runs work that is due, and advances time for a timed operator.
    func settle() { scheduler.advance(by: subject.settling) }

    /// Sends the next number; returns whether the probe sent it.
    @discardableResult
    func send(settling: Bool = true) -> Bool {
        let isSent = probe.send(LawValue(sent + 1, countedBy: values))
        if isSent { sent += 1 }
        if settling { settle() }
        return isSent
    }

    func send(_ count: Int) { for _ in 0..<count { send() } }

    func finish() {
        if probe.finish() { ending = .finished }
        settle()
    }

    /// Fails the upstream, and fails it again each time the operator attaches it again.
    func fail() {
        var attempts = 0
        repeat {
            if probe.fail(LawFailure(attempts)) { ending = .failed }
            settle()
            attempts += 1
        } while probe.liveCount > 0 && attempts < 20
    }

    func dropSignal() { signal = nil }

    /// The values that must have been delivered by now.
    var expected: [Output] { subject.expected(sent, ending) }

    func accepts(_ values: [Output]) -> Bool { subject.accepts(values, sent, ending) }

    /// Returns a sentence for a breach.
    func compare(_ values: [Output]) -> String { "It delivered \(values) instead of \(expected)." }
}

extension Recorder {
    /// Whether the recorder waits for a value: it has outstanding demand, and its run has not ended.
    var isHungry: Bool { outstanding > .none && !isEnded }

    var isFinished: Bool { if case .finished = completion { true } else { false } }
    var isFailed: Bool { if case .failure = completion { true } else { false } }
}
