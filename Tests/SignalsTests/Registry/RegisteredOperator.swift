import Signals
import SignalsTesting
import Testing

/// An operator in the list that the laws run over.
struct RegisteredOperator: Sendable, CustomTestStringConvertible {
    /// The file of `Sources/Signals/Operators` that it is in, without `.swift`.
    let file: String
    /// Tells the forms of one file apart.
    let form: String
    let verify: @Sendable (ClosedRange<UInt64>) -> [Breach]

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
    }
}
