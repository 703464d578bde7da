public import Signals

// If a body returns a signal, the signal does nothing, because no sink attaches to it. The compiler would accept the
// signal as the result of the body. This file therefore declares overloads for such bodies. Calls of these overloads do
// not compile.
//
// Making the overloads `unavailable` is not enough, because the compiler would choose the generic overload instead. In
// asynchronous code, `noasync` causes the error. In other code, the overload's global actor causes the error, because
// the calling code does not run on this actor, and `deprecated` adds the reason. The actor and `deprecated` apply to
// whole extensions, `noasync` to single members. The endpoints for all other bodies are disfavored overloads. Otherwise
// the compiler would prefer an endpoint of a conforming type to an overload in an extension of the protocol.

/// The global actor of the overloads for bodies that return a signal, so that calls of these overloads do not compile.
///
/// Instead, call endpoints on the handle that the body receives:
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
    /// Does not compile: no sink would attach to the signal that the body returns.
    @available(*, noasync, message: "nobody attaches to the body's signal: call the endpoint on the body's own handle")
    public func read<Value, Failure>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Signal<Value, Failure>
    ) -> Signal<Signal<Value, Failure>, RepositoryError> {
        refused(SignalReturnedByBody.refusal)
    }

    /// Does not compile: no sink would attach to the signal that the body returns.
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
    /// Does not compile: no sink would attach to the signal that the body returns.
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
    /// Does not compile: no sink would attach to the signal that the body returns.
    public init<Value, Failure>(_ body: @escaping @Sendable (ReadTransaction) throws -> Signal<Value, Failure>) {
        self.init { _ throws(RepositoryError) -> Never in throw SignalReturnedByBody.refusal }
    }
}
