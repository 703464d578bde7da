extension Signal {
    /// Waits for the first value, then cancels the run.
    ///
    /// ```swift
    /// let number = await Signal<Int, Never>.sequence(1...3).value()
    /// print(number as Any)  // Optional(1)
    ///
    /// let all = await Signal<Int, Never>.sequence(1...3).collect().value()
    /// print(all as Any)  // Optional([1, 2, 3])
    /// ```
    ///
    /// - Delivery: the first value, or nil if the signal finishes without a value or the task is cancelled. Cancelling
    ///   the task cancels the run.
    /// - Failure: the signal's, if it comes before a value.
    @_disfavoredOverload @discardableResult
    public func value() async throws(Failure) -> Value? {
        try await firstOfValues()
    }

    private func firstOfValues() async throws(Failure) -> Value? {
        var iterator = prefix(1).values(prefetch: 1).makeAsyncIterator()
        return try await iterator.next(isolation: nil)
    }
}

/// A failure type with cases for a missing value, so that the result of `value()` need not be optional.
///
/// ```swift
/// enum DownloadError: Error, NoValueFailure {
///     case noValue, cancelled, notConnected
/// }
/// let page: String = try await Signal<String, DownloadError>.just("<html>").value()
/// print(page)  // <html>
/// ```
public protocol NoValueFailure: Error {
    /// The signal finished without a value.
    static var noValue: Self { get }
    /// The waiting task was cancelled.
    static var cancelled: Self { get }
}

extension Signal where Failure: NoValueFailure {
    /// Waits for the first value, then cancels the run.
    ///
    /// ```swift
    /// let movies = try await repository.fetch(Movie.all).value()
    /// try await repository.create(movie).value()
    /// ```
    ///
    /// - Delivery: the first value.
    /// - Failure: the signal's, if it comes before a value; `.noValue` if the signal finishes without a value;
    ///   `.cancelled` if the task is cancelled. Cancelling the task cancels the run.
    @discardableResult
    public func value() async throws(Failure) -> Value {
        if let first = try await firstOfValues() { return first }
        throw Task.isCancelled ? .cancelled : .noValue
    }
}
