import SignalRepository
import Signals

/// Says in one sentence why a run cannot go on; the program prints it on standard error and ends with status 1.
package struct PlaygroundError: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// The sentence for the page, whose visitors need no statement and no path.
    package let summary: String

    package init(_ description: String, summary: String? = nil) {
        (self.description, self.summary) = (description, summary ?? description)
    }

    /// Takes over what the repository says, or what a transaction's body threw.
    package init(_ error: RepositoryError) {
        switch error {
        case .bodyThrew(let cause) where cause.error is PlaygroundError,
            .rolledBack(let cause) where cause.error is PlaygroundError,
            .sourceFailed(_, let cause) where cause.error is PlaygroundError:
            self.init("\(cause.error)")
        default:
            self.init(Escaping.visible(String(describing: error)), summary: Escaping.visible(error.summary))
        }
    }
}

extension PlaygroundError: NoValueFailure {
    package static let noValue = PlaygroundError(.noValue)
    package static let cancelled = PlaygroundError(.cancelled)
}
