/// An error that the program's code threw inside the repository: in the body of a transaction, or in a migration.
///
/// ```swift
/// struct TooFew: Error {}
///
/// do {
///     try await repository.transaction { store in
///         guard try store.count(Movie.self) > 2 else { throw TooFew() }
///     }.value()
/// } catch .rolledBack(by: let cause) where cause.error is TooFew {
///     print("there are too few")
/// }
/// ```
/// Two are equal if the errors have the same type and are equal or, if the type is not `Hashable`, print the same.
public struct ThrownError: Error, Hashable, CustomStringConvertible {
    /// The original error.
    public let error: any Error

    /// Wraps an error.
    public init(_ error: any Error) {
        self.error = error
    }

    /// The description of the original error.
    public var description: String { "\(error)" }

    /// Whether both have the same type, and are equal or print the same.
    public static func == (left: Self, right: Self) -> Bool {
        let (one, other): (any Any, any Any) = (left.error, right.error)
        guard type(of: one) == type(of: other) else { return false }
        // The type is checked, because with Objective-C the cast alone succeeds for any error.
        if type(of: one) is any Hashable.Type, let one = one as? any Hashable, let other = other as? any Hashable {
            return AnyHashable(one) == AnyHashable(other)
        }
        return left.description == right.description
    }

    /// Hashes only the type: equal errors may print differently.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type(of: error)))
    }
}

extension RepositoryError {
    /// Returns the error of a closure: a `RepositoryError` as it is, another one with the outcome of the work.
    static func thrown(_ error: any Error, isRolledBack: Bool = false) -> RepositoryError {
        if let error = error as? RepositoryError { return error }
        return isRolledBack ? .rolledBack(by: ThrownError(error)) : .bodyThrew(ThrownError(error))
    }
}
