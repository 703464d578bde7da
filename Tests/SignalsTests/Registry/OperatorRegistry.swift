import Signals
import SignalsLaws
import SignalsTesting

/// Every operator, with a model of its values; `OperatorRegistryTests` checks that none is missing.
enum OperatorRegistry {
    static let all = core + gathering + joining + throwing

    static func identity(_ input: LawInput) -> [LawValue] { input.values }

    /// Returns a model that delivers nothing until the upstream has finished.
    static func atFinish<Output>(
        _ output: @escaping @Sendable ([LawValue]) -> Output?
    ) -> @Sendable (LawInput) -> [Output] {
        { input in input.isFinished ? output(input.values).map { [$0] } ?? [] : [] }
    }
}
