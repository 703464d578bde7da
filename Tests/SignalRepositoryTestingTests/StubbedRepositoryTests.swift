import Foundation
import SignalRepository
import SignalRepositoryTesting
import SignalsTesting
import Testing

@Suite("Stubbed failures and delays", .timeLimit(.minutes(5))) struct StubbedRepositoryTests {
    private let busy = RepositoryError.busy(.stubbed)

    @Test("A stream fails after some values, and is recorded")
    func stream() async throws {
        let repository = try stubbed()
        try await repository.insert((1...5).map { Film.numbered($0) }).value()
        repository.fail("stream", with: busy, after: 2)
        let run = repository.stream(Film.all).record()
        #expect(await run.end() == .failure(busy))
        #expect(run.values == (1...2).map { Film.numbered($0) })
        #expect(repository.calls.last?.name == "stream")
    }

    @Test("Without rules, it behaves like the wrapped repository")
    func unchanged() async throws {
        let repository = try stubbed()
        try await repository.create(Film.numbered(1)).value()
        #expect(try await repository.read(Film.self, id: 1).value() == Film.numbered(1))
        #expect(try await repository.sum(of: \Film.gross).value() == 1)
        #expect(await failure { try await repository.create(Film.numbered(1)).value() }?.item?.id == "1")
        for await _ in repository.close().values {}
        #expect(await failure { try await repository.count(Film.self).value() } == .closed)
    }

    @Test("An endpoint fails until it is restored, and does none of its work")
    func always() async throws {
        let repository = try stubbed()
        repository.fail("create", with: busy)
        for number in 1...3 {
            #expect(await failure { try await repository.create(Film.numbered(number)).value() } == busy)
        }
        #expect(try await repository.count(Film.self).value() == 0)
        repository.restore()
        try await repository.create(Film.numbered(1)).value()
        #expect(try await repository.count(Film.self).value() == 1)
    }

    @Test("An endpoint fails a given number of times, so that a retry can be tested", arguments: 0...3)
    func times(count: Int) async throws {
        let repository = try stubbed()
        repository.fail("create", with: busy, times: count)
        let create = repository.create(Film.numbered(1))
        #expect(await failure { try await create.retry(2).value() } == (count == 3 ? busy : nil))
        #expect(repository.calls.count == min(count + 1, 3))
        #expect(try await repository.count(Film.self).value() == (count == 3 ? 0 : 1))
    }

    @Test("A failure is for an endpoint, an entity, both or everything")
    func filters() async throws {
        let repository = try stubbed()
        func outcomes() async -> [Bool] {
            [
                await failure { try await repository.count(Film.self).value() } == busy,
                await failure { try await repository.count(Studio.self).value() } == busy,
                await failure { try await repository.fetch(Film.all).value() } == busy,
                await failure { try await repository.read { _ in }.value() } == busy,
            ]
        }
        repository.fail("count", with: busy)
        #expect(await outcomes() == [true, true, false, false])
        repository.restore()
        repository.fail(of: Film.self, with: busy)
        #expect(await outcomes() == [true, false, true, false])
        repository.restore()
        repository.fail("count", of: Studio.self, with: busy)
        #expect(await outcomes() == [false, true, false, false])
        repository.restore()
        repository.fail(with: busy)
        #expect(await outcomes() == [true, true, true, true])
    }

    @Test("The last rule applies first, until it is used up")
    func order() async throws {
        let repository = try stubbed()
        repository.fail(with: busy)
        repository.fail("count", with: .full(.stubbed), times: 1)
        #expect(await failure { try await repository.count(Film.self).value() } == .full(.stubbed))
        #expect(await failure { try await repository.count(Film.self).value() } == busy)
    }

    @Test("R1 A failure does not arrive on the caller's thread")
    func thread() async throws {
        let repository = try stubbed()
        repository.fail(with: busy)
        let own = Lock<ObjectIdentifier?>(nil)
        let recorder = Recorder<Int, RepositoryError> { _, event in
            guard case .failure = event else { return }
            own.withLock { $0 = ObjectIdentifier(Thread.current) }
        }
        func attach() -> ObjectIdentifier {
            repository.count(Film.self).attach(recorder.sink)
            return ObjectIdentifier(Thread.current)
        }
        let callers = attach()
        _ = await recorder.end()
        #expect(recorder.history == [.upstream, .failure(busy)] && recorder.breaches.isEmpty)
        #expect(own.withLock { $0 } != callers)
    }

    @Test("A live endpoint fails at once, or after some values")
    func live() async throws {
        let repository = try stubbed()
        repository.fail("countSubscription", with: busy, times: 1, after: 2)
        repository.fail("fetchSubscription", with: busy)
        repository.fail("changes", with: .misuse(detail: "none"))
        let counts = repository.countSubscription(Film.self).record()
        #expect(await counts.values(1) == [0])
        #expect(!counts.isEnded)
        try await repository.create(Film.numbered(1)).value()
        _ = await counts.end()
        #expect(counts.history == [.upstream, .value(0), .value(1), .failure(busy)])
        let again = repository.countSubscription(Film.self).record()
        #expect(await again.values(1) == [1])
        let films = repository.fetchSubscription(Film.all).record()
        _ = await films.end()
        #expect(films.history == [.upstream, .failure(busy)])
        let changes = repository.changes().record()
        _ = await changes.end()
        #expect(changes.values.isEmpty && changes.isEnded)
        again.cancel()
    }

    @Test("A failure after some values does not affect an endpoint with a single result")
    func afterOnce() async throws {
        let repository = try stubbed()
        repository.fail(with: busy, after: 1)
        #expect(try await repository.count(Film.self).value() == 0)
    }

    @Test("A delayed endpoint waits before it begins, and never begins if it is cancelled by then")
    func delays() async throws {
        let clock = VirtualScheduler()
        let repository = try stubbed()
        repository.delay("create", by: .seconds(2), on: clock)
        let first = repository.create(Film.numbered(1)).record()
        let second = repository.create(Film.numbered(2)).record()
        clock.advance(by: .seconds(1))
        // This call is not delayed: a write that had begun before it would be counted.
        #expect(try await repository.count(Film.self).value() == 0)
        second.cancel()
        clock.advance(by: .seconds(1))
        _ = await first.end()
        #expect(first.values == [Film.numbered(1)])
        #expect(try await repository.fetch(Film.all).value() == [Film.numbered(1)])
        #expect(clock.pendingCount == 0)
    }

    @Test("The first value of a live endpoint is delayed, and so is a failure; later values are not")
    func lateAndLive() async throws {
        let clock = VirtualScheduler()
        let repository = try stubbed()
        repository.delay(of: Film.self, by: .seconds(1), on: clock)
        repository.fail("fetchSubscription", with: busy)
        let counts = repository.countSubscription(Film.self).record()
        let films = repository.fetchSubscription(Film.all).record()
        _ = try await repository.count(Studio.self).value()
        #expect(counts.values.isEmpty && !films.isEnded)
        clock.advance(by: .seconds(1))
        #expect(await counts.values(1) == [0])
        _ = await films.end()
        #expect(films.history == [.upstream, .failure(busy)])
        try await repository.transaction { store in try store.create(Film.numbered(1)) }.value()
        #expect(await counts.values(2) == [0, 1])
        counts.cancel()
    }

    @Test("R8 A slow sink of a live endpoint gets the latest value, despite a delay and a pending failure")
    func slow() async throws {
        let clock = VirtualScheduler()
        let repository = try stubbed()
        repository.delay("countSubscription", by: .seconds(1), on: clock)
        repository.fail("countSubscription", with: busy, after: 9)
        let counts = Recorder<Int, RepositoryError>(demand: .max(1))
        repository.countSubscription(Film.self).attach(counts.sink)
        clock.run()
        #expect(await counts.values(1) == [0])
        let fast = repository.follow(LiveQuery { store in try store.count(Film.self) }).map(\.value).record()
        _ = await fast.values(1)
        for number in 1...3 {
            try await repository.create(Film.numbered(number)).value()
            _ = await fast.values(number + 1)
        }
        counts.request(.max(1))
        #expect(await counts.values(2) == [0, 3])
        #expect(counts.breaches.isEmpty)
        counts.cancel()
        fast.cancel()
    }

    @Test("R11 A signal keeps the repository open, a live run does not")
    func released() async throws {
        var repository: StubbedRepository? = try stubbed()
        repository?.fail("fetchSubscription", with: busy, after: 9)
        let counts = repository?.countSubscription(Film.self).record()
        let films = repository?.fetchSubscription(Film.all).record()
        let count = repository?.count(Film.self)
        _ = await (counts?.values(1), films?.values(1))
        repository = nil
        #expect(try await count?.value() == 0)
        #expect(counts?.isEnded == false)
        _ = consume count
        #expect(await failure { _ = await (counts?.end(), films?.end()) } == nil)
        #expect(counts?.history == [.upstream, .value(0), .failure(.closed)])
        #expect(films?.history == [.upstream, .value([]), .failure(.closed)])
    }
}
