import SignalRepository
import Signals

/// Says in one sentence why a run cannot go on; the program prints it on standard error and ends with status 1.
package struct PlaygroundError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// Takes over what the repository says, or what a transaction's body threw.
    package init(_ error: RepositoryError) {
        switch error {
        case .bodyThrew(let cause) where cause.error is PlaygroundError,
            .rolledBack(let cause) where cause.error is PlaygroundError,
            .sourceFailed(_, let cause) where cause.error is PlaygroundError:
            self.init("\(cause.error)")
        default: self.init(Escaping.visible(String(describing: error)))
        }
    }
}

extension PlaygroundError: NoValueFailure {
    package static let noValue = PlaygroundError(.noValue)
    package static let cancelled = PlaygroundError(.cancelled)
}
