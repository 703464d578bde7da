public import Signals

extension Signal where Failure == RepositoryError {
    /// Waits for the first value; for the endpoints of a repository, which never finish without one.
    ///
    /// ```swift
    /// let movies = try await repository.fetch(Movie.all).first()
    /// ```
    ///
    /// In a function, that is: at the top level of a `main.swift` the compiler looks for what does not wait, finds the
    /// operator `first()`, and warns that nothing is awaited. There the type decides: `let movies: [Movie] = …`.
    ///
    /// - Delivery: the first value; the run is cancelled then.
    /// - Failure: the signal's; `.cancelled` when the task is cancelled, or the signal finishes without a value.
    public func first() async throws(RepositoryError) -> Value {
        let value: Value? = try await first()
        guard let value else { throw .cancelled }
        return value
    }
}
