public import Signals

// A body that returns a signal does nothing with it: a signal begins when somebody attaches to it, and nobody does. The
// compiler would take the signal for the result of the body and say nothing, so such a body does not compile.
//
// A declaration that is plainly unavailable would not do: the compiler prefers the generic one that is available. In
// asynchronous code `noasync` is the error. Elsewhere it is the actor, in which no code runs; `deprecated` gives the
// reason beside it. Those two count for all members of an extension, `noasync` for one alone. The endpoints that take a
// body of any other kind are disfavored, because a member of a type would be preferred to those of its protocol's
// extensions.

/// The actor to which bodies that return a signal are confined, so that they do not compile.
///
/// The store does what is called on the handle that the body gets:
///
/// ```swift
/// let stored = repository.transaction { store in try store.create(movie) }
/// ```
@globalActor
public actor SignalReturnedByBody {
    /// The actor, on which nothing runs.
    public static let shared = SignalReturnedByBody()

    static var refusal: RepositoryError {
        .misuse(detail: "the body returns a signal, which does nothing: nobody attaches to it")
    }
}

@SignalReturnedByBody
@available(*, deprecated, message: "nobody attaches to the body's signal: call the endpoint on the body's own handle")
extension Repository {
    /// Does not compile: nobody attaches to the signal that the body returns.
    @available(*, noasync, message: "nobody attaches to the body's signal: call the endpoint on the body's own handle")
    public func read<Value, Failure>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Signal<Value, Failure>
    ) -> Signal<Signal<Value, Failure>, RepositoryError> {
        refused(SignalReturnedByBody.refusal)
    }

    /// Does not compile: nobody attaches to the signal that the body returns.
    @available(*, noasync, message: "nobody attaches to the body's signal: call the endpoint on the body's own handle")
    public func transaction<Value, Failure>(
        author: String? = nil, _ body: @escaping @Sendable (WriteTransaction) throws -> Signal<Value, Failure>
    ) -> Signal<Signal<Value, Failure>, RepositoryError> {
        refused(SignalReturnedByBody.refusal)
    }
}

@SignalReturnedByBody
@available(*, deprecated, message: "nobody attaches to the body's signal: call the endpoint on the body's own handle")
extension WriteTransaction {
    /// Does not compile: nobody attaches to the signal that the body returns.
    @available(*, noasync, message: "nobody attaches to the body's signal: call the endpoint on the body's own handle")
    @discardableResult
    public func transaction<Value, Failure>(
        _ body: (WriteTransaction) throws -> Signal<Value, Failure>
    ) throws(RepositoryError) -> Signal<Value, Failure> {
        throw SignalReturnedByBody.refusal
    }
}

@available(*, unavailable, message: "nobody attaches to the body's signal: call the endpoint on the body's own handle")
extension LiveQuery where Output == Never {
    /// Does not compile: nobody attaches to the signal that the body returns.
    public init<Value, Failure>(_ body: @escaping @Sendable (ReadTransaction) throws -> Signal<Value, Failure>) {
        self.init { _ throws(RepositoryError) -> Never in throw SignalReturnedByBody.refusal }
    }
}
