import SignalRepository
import Signals

/// Says in one sentence why a run cannot go on; the program prints it on standard error and ends with status 1.
struct PlaygroundError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Takes over what the repository says, or what a transaction's body threw.
    init(_ error: RepositoryError) {
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
    static let noValue = PlaygroundError(.noValue)
    static let cancelled = PlaygroundError(.cancelled)
}
