/// How a signal ended.
@frozen
public enum Completion<Failure: Error>: Sendable {
    /// It delivered everything it had.
    case finished
    /// It stopped with an error.
    case failure(Failure)

    /// Returns the same ending with its error transformed.
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
