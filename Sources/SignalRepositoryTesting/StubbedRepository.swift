public import RepositoryCore
public import Signals

/// A repository for tests that fails, delays and records calls, and forwards everything else to the repository it
/// wraps, usually one in memory.
///
/// ```swift
/// let repository = StubbedRepository(over: try SQLiteRepository(.inMemory, entities: Movie.self))
/// repository.fail("create", with: .busy(.stubbed), times: 1)
/// let stored = try await repository.create(movie).retry(1).value()
/// print(stored == movie)  // true
/// print(repository.calls.map(\.name))  // ["create", "create"]
/// ```
/// The most recent rule applies first; when a failure is used up, the one set before it applies. A rule affects signals
/// that are attached after it was set. Of a transaction only the call itself is seen, not those inside it.
public final class StubbedRepository: Repository {
    private let base: any Repository
    private let script = Lock(Script())

    /// Creates a repository that behaves like `base` until a test sets a rule.
    public init(over base: any Repository) {
        self.base = base
    }

    /// The calls so far, in order: an endpoint whenever a sink attaches to its signal, and `close` when it is called.
    ///
    /// ```swift
    /// let repository = StubbedRepository(over: try SQLiteRepository(.inMemory, entities: Movie.self))
    /// try await repository.create(movie).value()
    /// try await repository.authored(by: "sync").insert(movies).value()
    /// print(repository.calls[0] == RepositoryCall("create", Movie.self, id: movie.id))  // true
    /// print(repository.calls[1])  // insert Movie ×500 by sync
    /// ```
    /// An endpoint that works in several steps is recorded once for each: `insert(from:batch:)` is an `insert` for each
    /// batch.
    public var calls: [RepositoryCall] { script.withLock { $0.calls } }

    /// Forgets the calls so far, for example those that prepared the store of a test.
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
    ///   - entity: The entity that the call must concern; if it is nil, calls of any entity, or of none.
    ///   - error: The error that the calls fail with.
    ///   - times: How many calls fail; all of them if it is nil.
    ///   - values: How many values a live endpoint delivers first; an endpoint that delivers one value is unaffected
    ///     unless it is 0.
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
    ///   - entity: The entity that the call must concern; if it is nil, calls of any entity, or of none.
    ///   - time: How long the call waits.
    ///   - scheduler: The scheduler on which the time passes.
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
                // The wrapped repository delivers the error like its own results: in order, and off its queues.
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
