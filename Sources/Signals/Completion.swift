/// The end of a signal, which either finished or failed.
///
/// ```swift
/// let token = Signal<Int, CancellationError>.fail(CancellationError()).sink(
///     onValue: { print($0) },
///     onCompletion: { completion in
///         switch completion {
///         case .finished: print("that was all")
///         case .failure(let error): print("stopped by \(error)")  // stopped by CancellationError()
///         }
///     })
/// ```
@frozen
public enum Completion<Failure: Error>: Sendable {
    /// The signal has delivered all its values.
    case finished
    /// The signal has stopped with an error.
    case failure(Failure)

    /// Returns the same completion, with its error transformed if there is one.
    @inlinable
    public func mapError<Other: Error>(_ transform: (Failure) -> Other) -> Completion<Other> {
        switch self {
        case .finished: .finished
        case .failure(let failure): .failure(transform(failure))
        }
    }
}

extension Completion: Equatable where Failure: Equatable {}
extension Completion: Hashable where Failure: Hashable {}
