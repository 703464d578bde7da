import Foundation
import SignalRepository
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import SignalRepositoryPostgres

/// A server that is restarted repeatedly while a writer goes on; `RESTARTS` is the number of restarts.
@Suite("R12 A server that is restarted", .timeLimit(.minutes(restarts > 10 ? 120 : 10))) struct RestartTests {
    #if os(Linux)
        @Test(
            "R4 R11 R12 R14 No acknowledged write is lost, live values come back correct, and no resources leak",
            .prompt)
        func again() async throws {
            // In its own process, so that only this test's resources are counted.
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                try await RestartRun().run(restarts)
            }
            guard restarts > 10, let output = result?.standardOutputContent else { return }
            print(String(decoding: output, as: UTF8.self))
        }
    #endif
}

/// The number of restarts: a few, or hundreds.
private let restarts = HistoryTests.number("RESTARTS") ?? 4

/// One run: a server, a writer, and the times until live values arrive again.
private struct RestartRun {
    private let server: TestServer
    private let store: String
    private let repository: PostgresRepository
    private let held: HeldByProcess

    init() async throws {
        server = try TestServer(durableWith: "")
        store = try server.store()
        // An earlier repository creates the process's one-time resources, so that they are not counted.
        let first = try PostgresRepository(store, entities: Film.self, liveSource: .replication)
        _ = await first.countSubscription(Film.self).record().values(1)
        _ = try await first.count(Film.self).value()
        await closed(first)
        held = try .now()
        repository = try PostgresRepository(store, entities: Film.self, liveSource: .replication)
    }

    func run(_ count: Int) async throws {
        let shown = FirstMoment()
        let sums = repository.sumSubscription(of: \Film.boxOffice).handleEvents(onValue: { _ in shown.note() }).record()
        let newest = Film.all.sorted(by: \.boxOffice, .descending).limit(5)
        let lists = repository.fetchSubscription(newest).record()
        _ = await (sums.values(1), lists.values(1))
        var (all, times) = (WrittenFilms(), (shown: [Duration](), streamed: [Duration]()))
        for round in 0..<count {
            await repository.streaming()
            let (isEnough, goesOn, restarts, after) = (Gate(), Gate(), Counter(), Counter())
            let enough = Int.random(in: 1...30)
            let (before, first) = (Counter(), all.count)
            async let written = write(from: first) {
                if before.add() == enough { isEnough.open() }
                guard restarts.value > 0, after.add() == 3 else { return after.value < 3 }
                goesOn.open()
                return false
            }
            await isEnough.opened()
            try server.stop(round % 2 == 0 ? "fast" : "immediate")
            shown.clear()
            async let start: Void = onThread { try server.start() }
            let answered = try await server.answers()
            restarts.add()
            let streamed = FirstMoment()
            repository.stream?.whenActive { streamed.note() }
            times.shown.append(await shown.first() - answered)
            times.streamed.append(await streamed.first() - answered)
            try await start
            await goesOn.opened()
            try await all.add(written)
            let films = try await repository.fetch(Film.all.sorted(by: \.boxOffice, .descending)).value()
            all.compare(films, "round \(round)")
            let total = films.reduce(Decimal(0)) { $0 + $1.boxOffice }
            #expect(await sums.last(where: { $0 == total }) == total, "round \(round)")
            let shownFilms = Array(films.prefix(5))
            #expect(await lists.last(where: { $0 == shownFilms }) == shownFilms, "round \(round)")
        }
        for recorder in [sums.breaches, lists.breaches] { #expect(recorder.isEmpty) }
        #expect(!sums.isEnded && !lists.isEnded)
        try await end()
        print("\(count) restarts: \(all.kept.count) kept, \(all.unknown.count) unknown, \(all.refused.count) refused")
        print("the server's answer → a live value:", Self.figures(times.shown))
        print("the server's answer → the stream:", Self.figures(times.streamed))
    }

    /// Writes films until `acknowledged` returns `false`, and retries once the server answers again.
    private func write(from first: Int, _ acknowledged: @Sendable () -> Bool) async throws -> WrittenFilms {
        var all = WrittenFilms()
        while true {
            let written = await WrittenFilms.write(first + all.count, in: repository, acknowledged: acknowledged)
            all.add(written)
            if written.refused.isEmpty, written.unknown.isEmpty { return all }
            _ = try await server.answers()
        }
    }

    private func end() async throws {
        await closed(repository)
        #expect(try server.isLeft())
        let connection = try PostgresConnection(store)
        #expect(try connection.rows("SELECT count(*) FROM pg_replication_slots") == [[.integer(0)]])
        connection.close()
        let left = try HeldByProcess.now()
        #expect(left.descriptors <= held.descriptors)
        // System threads come and go.
        #expect(left.threads < held.threads + 8)
        print("descriptors: \(held.descriptors) → \(left.descriptors), threads: \(held.threads) → \(left.threads)")
    }

    private static func figures(_ times: [Duration]) -> String {
        let sorted = times.sorted().map { Int($0 / .milliseconds(1)) }
        let (median, most) = (sorted[sorted.count / 2], sorted[sorted.count * 95 / 100])
        return "median \(median) ms, 95 % \(most) ms, longest \(sorted.last ?? 0) ms"
    }
}

/// The first time at which something happened after the last `clear()`.
private final class FirstMoment: Sendable {
    private struct State {
        var time: ContinuousClock.Instant?
        var waiter: CheckedContinuation<ContinuousClock.Instant, Never>?
    }

    private let state = Lock(State())

    func clear() { state.withLock { $0.time = nil } }

    func note() {
        let now = ContinuousClock.now
        let waiter = state.withLock { state in
            if state.time == nil { state.time = now }
            return state.waiter.take()
        }
        waiter?.resume(returning: now)
    }

    func first() async -> ContinuousClock.Instant {
        await withCheckedContinuation { continuation in
            let time = state.withLock { state in
                if state.time == nil { state.waiter = continuation }
                return state.time
            }
            if let time { continuation.resume(returning: time) }
        }
    }
}

extension TestServer {
    /// Waits until the server accepts connections, and returns that time.
    fileprivate func answers() async throws -> ContinuousClock.Instant {
        try await onThread { [parameters] in
            while true {
                if let connection = try? PostgresConnection(parameters) {
                    connection.close()
                    return .now
                }
                // Sleeps, because a starting server needs the processor and reports nothing.
                _ = poll(nil, 0, 1)
            }
        }
    }
}
