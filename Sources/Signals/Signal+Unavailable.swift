// These overloads exist only for their error messages, which say what to write instead.
extension Signal {
    /// Does not compile: the closure of `map` cannot be async.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compile-time error.
    @available(
        *, unavailable, message: "run an async closure as a task: concatMap { value in .task { await work(value) } }"
    )
    @_disfavoredOverload
    public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) async throws -> Output
    ) -> Signal<Output, Failure> { compactMap { _ in nil } }

    /// Does not compile: the closure of `map` cannot throw.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compile-time error.
    @available(*, unavailable, message: "a closure that throws needs tryMap")
    @_disfavoredOverload
    public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Output
    ) -> Signal<Output, Failure> { compactMap { _ in nil } }

    /// Does not compile: the closures of a sink cannot be async.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compile-time error.
    @available(
        *, unavailable,
        message: "run an async closure as a task before the sink: concatMap { value in .task { await work(value) } }"
    )
    @_disfavoredOverload
    public func sink(onValue: @escaping @Sendable (Value) async throws -> Void) -> SignalToken {
        sink(onValue: { _ in }, onCompletion: { _ in })
    }

    /// Does not compile: the closures of a sink cannot be async.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compile-time error.
    @available(
        *, unavailable,
        message: "run an async closure as a task before the sink: concatMap { value in .task { await work(value) } }"
    )
    @_disfavoredOverload
    public func sink(
        onValue: @escaping @Sendable (Value) async throws -> Void,
        onCompletion: @escaping @Sendable (Completion<Failure>) async throws -> Void
    ) -> SignalToken { sink(onValue: { _ in }, onCompletion: { _ in }) }

    /// Does not compile: the closures of a sink cannot throw.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compile-time error.
    @available(*, unavailable, message: "a sink cannot throw: catch the error in it, or put tryMap before it")
    @_disfavoredOverload
    public func sink(onValue: @escaping @Sendable (Value) throws -> Void) -> SignalToken {
        sink(onValue: { _ in }, onCompletion: { _ in })
    }

    /// Does not compile: the closures of a sink cannot throw.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compile-time error.
    @available(*, unavailable, message: "a sink cannot throw: catch the error in it, or put tryMap before it")
    @_disfavoredOverload
    public func sink(
        onValue: @escaping @Sendable (Value) throws -> Void,
        onCompletion: @escaping @Sendable (Completion<Failure>) throws -> Void
    ) -> SignalToken { sink(onValue: { _ in }, onCompletion: { _ in }) }
}
