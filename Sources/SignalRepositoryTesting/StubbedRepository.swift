public import RepositoryCore
public import Signals

/// A repository for tests that wraps another repository, usually one in memory.
///
/// It records all calls, and can fail or delay them.
///
/// ```swift
/// let repository = StubbedRepository(over: try SQLiteRepository(.inMemory, entities: Movie.self))
/// repository.fail("create", with: .busy(.stubbed), times: 1)
/// let stored = try await repository.create(movie).retry(1).value()
/// print(stored == movie)  // true
/// print(repository.calls.map(\.name))  // ["create", "create"]
/// ```
/// A rule is a failure or a delay that a test sets. If several failures, or several delays, apply to a call, only the
/// most recent one takes effect. Once a failure has occurred `times` times, it has no effect, and the next older
/// failure that applies takes effect. A rule affects signals that are attached after it was set. A transaction counts
/// as one call, and rules do not apply to the calls in its body.
public final class StubbedRepository: Repository {
    private let base: any Repository
    private let script = Lock(Script())

    /// Creates a repository that behaves like `base` until a test sets a rule.
    public init(over base: any Repository) {
        self.base = base
    }

    /// The calls so far, in order: each attach of a sink to an endpoint's signal, and each call of `close`.
    ///
    /// ```swift
    /// let repository = StubbedRepository(over: try SQLiteRepository(.inMemory, entities: Movie.self))
    /// try await repository.create(movie).value()
    /// try await repository.authored(by: "sync").insert(movies).value()
    /// print(repository.calls[0] == RepositoryCall("create", Movie.self, id: movie.id))  // true
    /// print(repository.calls[1])  // insert Movie ×500 by sync
    /// ```
    /// An endpoint that works in several steps is recorded once for each step: `insert(from:batch:)` appears as an
    /// `insert` for each batch.
    public var calls: [RepositoryCall] { script.withLock { $0.calls } }

    /// Removes the calls recorded so far, for example after they have prepared the store of a test.
    public func forgetCalls() {
        script.withLock { $0.calls = [] }
    }

    /// Makes calls fail with an error instead of reaching the wrapped repository.
    ///
    /// ```swift
    /// let repository = StubbedRepository(over: try SQLiteRepository(.inMemory, entities: Movie.self))
    /// repository.fail("create", of: Movie.self, with: .full(.stubbed))  // until `restore()`
    /// repository.fail(with: .busy(.stubbed), times: 3)  // any call, three times
    /// repository.fail("fetchSubscription", with: .closed, after: 1)  // a live query that breaks off
    /// ```
    /// The error arrives like a store's own error: asynchronously, and never on the caller's thread. A live endpoint
    /// fails after it has delivered `after` values.
    ///
    /// - Parameters:
    ///   - name: The endpoint that fails; every endpoint if it is nil.
    ///   - entity: The entity that the call must concern. If it is nil, the rule applies to calls with any entity or
    ///     without one.
    ///   - error: The error that the calls fail with.
    ///   - times: The number of calls that fail; all of them if it is nil.
    ///   - values: The number of values that a live endpoint delivers before the error. Unless it is 0, endpoints that
    ///     deliver one value do not fail.
    public func fail(
        _ name: String? = nil, of entity: (any Entity.Type)? = nil, with error: RepositoryError,
        times: Int? = nil, after values: Int = 0
    ) {
        let failure = Failure(
            calls: CallFilter(name: name, entity: entity?.entityName), error: error, values: values,
            remaining: times)
        script.withLock { $0.failures.append(failure) }
    }

    /// Makes calls wait before they begin, so that their results or failures are delayed.
    ///
    /// ```swift
    /// let clock = VirtualScheduler()
    /// let repository = StubbedRepository(over: try SQLiteRepository(.inMemory, entities: Movie.self))
    /// repository.delay("countSubscription", by: .seconds(2), on: clock)
    /// let token = repository.countSubscription(Movie.self).sink(onValue: { print($0) }, onCompletion: { _ in })
    /// clock.advance(by: .seconds(1))  // nothing yet, however fast the store is
    /// clock.advance(by: .seconds(1))  // now the store is asked
    /// ```
    /// For a live endpoint, only the first value is delayed. A call that is cancelled while it waits never begins.
    ///
    /// - Parameters:
    ///   - name: The endpoint that waits; every endpoint if it is nil.
    ///   - entity: The entity that the call must concern. If it is nil, the rule applies to calls with any entity or
    ///     without one.
    ///   - time: How long the call waits.
    ///   - scheduler: The scheduler that measures the time.
    public func delay(
        _ name: String? = nil, of entity: (any Entity.Type)? = nil, by time: Duration,
        on scheduler: any SignalScheduler
    ) {
        let delay = Delay(calls: CallFilter(name: name, entity: entity?.entityName), time: time, scheduler: scheduler)
        script.withLock { $0.delays.append(delay) }
    }

    /// Removes every failure and delay, so that signals attached from now on behave as in the wrapped repository.
    public func restore() {
        // The rules, and the schedulers they hold, are released outside the lock.
        _ = script.withLock { $0.takeRules() }
    }
}

extension StubbedRepository {
    /// Forwards the request to the wrapped repository, unless a rule applies to the call.
    public func signal<Output>(for request: Request<Output>) -> Signal<Output, RepositoryError> {
        let call = request.call
        let isLive = request.kind != .read && request.kind != .write
        let answer = base.signal(for: request)
        return .deferred { [script, base] in
            let (failure, delay) = script.withLock { $0.enter(call, isLive: isLive) }
            var answer = answer
            if let failure, failure.values > 0 {
                answer = answer.prefix(failure.values).append(.fail(failure.error))
            } else if let failure {
                // The error is thrown inside a read, so that the wrapped repository delivers it as it delivers its
                // results: in order, and not on a database queue.
                answer = base.signal(for: .read(call) { _ in throw failure.error })
            }
            guard let delay else { return answer }
            return Signal<Void, RepositoryError>.just(())
                .delay(for: delay.time, on: delay.scheduler)
                .flatMapLatest { [answer] in answer }
        }
    }

    /// Closes the wrapped repository; see `Repository.close()`.
    @discardableResult
    public func close() -> Signal<Void, Never> {
        script.withLock { $0.calls.append(RepositoryCall("close")) }
        return base.close()
    }
}
