import Signals
import SignalsLaws
import SignalsTesting

/// The end of a run whose sink keeps its upstream, as a Combine subscriber does.
enum KeepingEnd: CaseIterable, Sendable {
    case finish, failure, cancel, cancelInside

    /// The operator's source.
    enum Source: CaseIterable, Sendable {
        case just, sequence, created, sent, handWritten
    }

    /// An object used as a sink, which keeps its upstream for as long as it lives.
    private final class Keeper<Value: Sendable, Failure: Error>: Sendable {
        let upstream = Lock<Upstream?>(nil)
        let cancelsInside: Bool

        init(cancelsInside: Bool) { self.cancelsInside = cancelsInside }

        var sink: Sink<Value, Failure> {
            Sink(
                onUpstream: { [self] new in
                    upstream.withLock { $0 = new }
                    new.request(.max(2))
                    new.request(.max(1_000))
                },
                onValue: { [self] _ in
                    if cancelsInside { cancel() }
                    return .none
                },
                onCompletion: { [self] _ in withExtendedLifetime(self) {} })
        }

        func cancel() { upstream.withLock { $0 }?.cancel() }
    }

    private var ending: Signal<LawValue, LawFailure> {
        switch self {
        case .finish: .empty()
        case .failure: .fail(LawFailure(7))
        case .cancel, .cancelInside: .never()
        }
    }

    private func signal(of source: Source, holding grip: Count) -> Signal<LawValue, LawFailure> {
        let values = (1...4).map { LawValue($0) }
        let first: Signal<LawValue, LawFailure> =
            switch source {
            case .just: .just(1)
            case .sequence: .sequence(values)
            case .created, .sent:
                .create { emitter in
                    for value in values { emitter.send(value) }
                    emitter.finish()
                    return {}
                }
            case .handWritten:
                Signal { sink in Signal<LawValue, LawFailure>.sequence(values).attach(sink) }
            }
        return first.append(ending).map { value in withExtendedLifetime(grip) { value } }
    }

    /// Runs an operator to this end twice, the second time while holding its upstream; returns the leaks.
    func leaks<Output: Sendable, Failure: Error>(
        from source: Source,
        _ make: (Signal<LawValue, LawFailure>, VirtualScheduler) -> Signal<Output, Failure>
    ) -> [String] {
        let scheduler = VirtualScheduler()
        weak var sink: Keeper<Output, Failure>?
        weak var closure: Count?
        var subjects: [Broadcast<LawValue, LawFailure>] = []
        var kept: [Upstream] = []
        for isHeld in [false, true] {
            let subject = source == .sent ? Broadcast<LawValue, LawFailure>() : nil
            if let subject { subjects.append(subject) }
            do {
                let (keeper, grip) = (Keeper<Output, Failure>(cancelsInside: self == .cancelInside), Count())
                (sink, closure) = (keeper, grip)
                var signal = signal(of: source, holding: grip)
                if let subject { signal = subject.signal.map { value in withExtendedLifetime(grip) { value } } }
                make(signal, scheduler).attach(keeper.sink)
                scheduler.run()
                if let subject { send(to: subject, scheduler) }
                if self == .cancel || self == .cancelInside { keeper.cancel() }
                if isHeld, let upstream = keeper.upstream.withLock({ $0 }) { kept.append(upstream) }
                scheduler.run()
            }
            if sink != nil || closure != nil {
                return ["\(self) of \(source), held: \(isHeld): \(sink != nil) \(closure != nil)"]
            }
        }
        withExtendedLifetime((kept, subjects)) {}
        return []
    }

    private func send(to subject: Broadcast<LawValue, LawFailure>, _ scheduler: VirtualScheduler) {
        for number in 1...4 {
            subject.send(LawValue(number))
            scheduler.run()
        }
        switch self {
        case .finish: subject.send(completion: .finished)
        case .failure: subject.send(completion: .failure(LawFailure(7)))
        case .cancel, .cancelInside: break
        }
        scheduler.run()
    }
}
