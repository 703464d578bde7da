import Signals
import SignalsLaws
import SignalsTesting
import Testing

/// An operator that the laws check.
struct RegisteredOperator: Sendable, CustomTestStringConvertible {
    /// The name of its file in `Sources/Signals/Operators`, without `.swift`; a throwing operator has the prefix `Try`.
    let file: String
    /// Distinguishes the operators of one file.
    let form: String
    let verify: @Sendable (ClosedRange<UInt64>) -> [Breach]
    /// Runs 1 to a number through it, each requested inside the previous delivery; returns whether the run ended.
    let run: @Sendable (Int) -> Bool
    /// Runs it to an end with a sink that keeps its upstream; returns a description of each leak.
    let leaks: @Sendable (KeepingEnd) -> [String]

    var testDescription: String { form.isEmpty ? file : "\(file): \(form)" }

    init<Output: Sendable & Equatable, Failure: Error>(
        _ file: String, _ form: String = "", traits: Laws.Traits = [], settling: Duration = .zero,
        expecting model: @escaping @Sendable (LawInput) -> [Output],
        _ make: @escaping @Sendable (Signal<LawValue, LawFailure>, VirtualScheduler) -> Signal<Output, Failure>
    ) {
        self.file = file
        self.form = form
        verify = { seeds in
            Laws.verifyOperator(expecting: model, traits: traits, settling: settling, seeds: seeds, make)
        }
        leaks = { end in
            KeepingEnd.Source.allCases.flatMap { end.leaks(from: $0, make) }
        }
        run = { count in
            let scheduler = VirtualScheduler()
            let hasEnded = Count()
            let upstream = Lock<Upstream?>(nil)
            make(Signal<Int, LawFailure>.sequence(1...count).map { LawValue($0) }, scheduler).attach(
                Sink(
                    onUpstream: { new in
                        upstream.withLock { $0 = new }
                        new.request(.max(1))
                    },
                    onValue: { _ in
                        upstream.withLock { $0 }?.request(.max(1))
                        return .none
                    },
                    onCompletion: { _ in
                        hasEnded.raise()
                        _ = upstream.withLock { $0.take() }
                    }))
            scheduler.run()
            return hasEnded.value == 1
        }
    }
}
