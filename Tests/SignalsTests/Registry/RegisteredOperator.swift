import Signals
import SignalsLaws
import SignalsTesting
import Testing

/// An operator in the list that the laws run over.
struct RegisteredOperator: Sendable, CustomTestStringConvertible {
    /// The file of `Sources/Signals/Operators` that it is in, without `.swift`, after `Try` for one that throws.
    let file: String
    /// Tells the forms of one file apart.
    let form: String
    let verify: @Sendable (ClosedRange<UInt64>) -> [Breach]
    /// Runs 1 to a number through it, each asked for inside the delivery before; returns whether it ended.
    let run: @Sendable (Int) -> Bool
    /// Runs it into a sink that keeps its upstream, to an end; returns what is still held.
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
