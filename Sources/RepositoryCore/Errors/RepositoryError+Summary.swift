public import Foundation

extension RepositoryError {
    /// A sentence for an alert or a server's response: what happened, naming only entities, properties and ids.
    ///
    /// The summary never contains SQL, an engine code or a path; for a log, `description` contains these. The summary
    /// is also the error's `localizedDescription`. If the program's closure threw a `LocalizedError`, the summary is
    /// its `errorDescription`.
    ///
    /// ```swift
    /// do {
    ///     try await repository.create(movie).value()
    ///     try await repository.create(movie).value()
    /// } catch {
    ///     print(error.summary)  // The change was refused: an item with this key already exists (id).
    /// }
    /// ```
    public var summary: String {
        switch self {
        case .bodyThrew(let cause), .rolledBack(let cause):
            (cause.error as? any LocalizedError)?.errorDescription ?? wording.summary.sentence
        default: wording.summary.sentence
        }
    }
}

extension RepositoryError: LocalizedError {
    /// The summary of the error.
    public var errorDescription: String? { summary }

    /// The remedy, which `description` also contains; `nil` if the library cannot suggest one.
    public var recoverySuggestion: String? {
        switch self {
        case .busy: "Try again."
        case .full: "Free some space and try again."
        case .conflict: "Read them again, or save over them."
        case .corrupt: "Restore it from a copy."
        case .commitOutcomeUnknown: "Read what is stored before you write it again."
        case .ownedElsewhere: "Try again when it is free, or open it read-only."
        case .fileMoved: "Put it back, or close the repository and open it again."
        default: nil
        }
    }
}
