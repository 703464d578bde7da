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
        if case .rolledBack(let cause) = error, let cause = cause.error as? PlaygroundError {
            self = cause
        } else {
            self.init(Escaping.visible(String(describing: error)))
        }
    }
}

extension PlaygroundError: NoValueFailure {
    static let noValue = PlaygroundError(.noValue)
    static let cancelled = PlaygroundError(.cancelled)
}
