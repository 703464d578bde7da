public import Signals

// A signal that a body returns does nothing, because nothing attaches to it. The compiler would accept the signal as
// the result of the body, so the overloads for such a body do not compile.
//
// Making them `unavailable` is not enough: the compiler would choose the generic overload that is available. In
// asynchronous code, `noasync` is the error. Elsewhere the global actor is, in which no code runs, and `deprecated`
// adds the reason. The actor and `deprecated` apply to all members of an extension, `noasync` to a single member. The
// endpoints for all other bodies are disfavored, because members of a type would be preferred to members of its
// protocol's extensions.

/// The actor that isolates the overloads for bodies that return a signal, so that calls of them do not compile.
///
/// Call endpoints on the handle that the body receives:
///
/// ```swift
/// let stored = repository.transaction { store in try store.create(movie) }
/// ```
@globalActor
public actor SignalReturnedByBody {
    /// The actor, on which no code runs.
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
