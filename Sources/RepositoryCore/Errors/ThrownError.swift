/// An error of the program's code: thrown in a transaction, a read or a migration, or sent by the source signal of
/// `insert(from:batch:)`.
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
/// Two thrown errors are equal if the original errors have the same type and are equal. If their type is not
/// `Hashable`, they are equal if they print the same text.
public struct ThrownError: Error, Hashable, CustomStringConvertible {
    /// The original error.
    public let error: any Error

    /// Wraps an error.
    public init(_ error: any Error) {
        self.error = error
    }

    /// The description of the original error.
    public var description: String { "\(error)" }

    /// Returns whether two errors have the same type, and are equal or, without `Hashable`, print the same text.
    public static func == (left: Self, right: Self) -> Bool {
        let (one, other): (any Any, any Any) = (left.error, right.error)
        guard type(of: one) == type(of: other) else { return false }
        // `type(of:)` is checked, because on Apple platforms, the cast to `Hashable` succeeds for any error.
        if type(of: one) is any Hashable.Type, let one = one as? any Hashable, let other = other as? any Hashable {
            return AnyHashable(one) == AnyHashable(other)
        }
        return left.description == right.description
    }

    /// Hashes only the type, because equal errors may print different texts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type(of: error)))
    }
}

extension RepositoryError {
    /// Returns a `RepositoryError` as it is; wraps any other error in `.rolledBack` if `isRolledBack`, otherwise in
    /// `.bodyThrew`.
    static func thrown(_ error: any Error, isRolledBack: Bool = false) -> RepositoryError {
        if let error = error as? RepositoryError { return error }
        return isRolledBack ? .rolledBack(by: ThrownError(error)) : .bodyThrew(ThrownError(error))
    }
}
