import SignalRepository

/// The reason why a run cannot go on, in one sentence; the program prints it on standard error, with status 1.
package struct PlaygroundError: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// The sentence for the page, without statements and paths.
    package let summary: String

    package init(_ description: String, summary: String? = nil) {
        (self.description, self.summary) = (description, summary ?? description)
    }

    /// Makes an error from a repository's error, or from the error that a transaction's body threw.
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
